import { randomBytes } from 'node:crypto';
import { closeSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../core/index.ts';
import { type AuditHead, GENESIS, headMac } from './audit-chain.ts';

/** The end of the log and the key of its hashes, beside the database and outside of it. */
export interface AuditHeadFile {
  /** Made at the first call, once; under the database's write lock. */
  key(): Buffer;
  /** Undefined when there is no key. */
  existingKey(): Buffer | undefined;
  /**
   * `lost`: there is a key, and no head; `forged`: the head was not written with this key. Only under the
   * database's write lock, so that none is read while it is written.
   */
  read(): AuditHead | 'lost' | 'forged';
  /** Only under the database's write lock, so that an older one never follows a newer one. */
  write(head: AuditHead): void;
}

/**
 * A head is written over the one before it, in one call and within one sector, so that a process that ends leaves
 * one of the two, whole. A new file in the old one's place would cost the disk twenty times as much.
 */
const HEAD_BYTES = 256;

export function createAuditHeadFile(folder: string): AuditHeadFile {
  const [keyPath, headPath] = [join(folder, 'audit.key'), join(folder, 'audit.head')];
  let known: Buffer | undefined;
  /** The file is one that was written here, so that a head fits into it. */
  let isOurs = false;

  const existingKey = (): Buffer | undefined => {
    const text = readText(keyPath)?.trim() ?? '';
    return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined;
  };
  const write = (key: Buffer, head: AuditHead): void => {
    const { seq, hash } = head;
    const text = `${JSON.stringify({ seq, hash, mac: headMac(key, head) }).padEnd(HEAD_BYTES - 1)}\n`;
    if (isOurs && writeOver(headPath, text)) return;
    const spare = `${headPath}.new`;
    writeText(spare, 'w', text);
    renameSync(spare, headPath);
    isOurs = true;
  };
  const makeKey = (): Buffer => {
    const key = randomBytes(32);
    const spare = `${keyPath}.${process.pid}`;
    writeText(spare, 'w', `${key.toString('hex')}\n`);
    try {
      // The head first: a key without a head then always means that the head was taken away.
      if ((parse(readText(headPath) ?? '')?.seq ?? 0) === 0) write(key, GENESIS);
      linkSync(spare, keyPath);
      return key;
    } catch (error) {
      const other = existingKey();
      if (other) return other;
      throw error;
    } finally {
      rmSync(spare, { force: true });
    }
  };

  return {
    existingKey,
    key() {
      known ??= existingKey() ?? makeKey();
      return known;
    },
    read() {
      const text = readText(headPath);
      const key = existingKey();
      const head = text === undefined ? undefined : parse(text);
      if (key && head && headMac(key, head) === head.mac) return { seq: head.seq, hash: head.hash };
      isOurs = false;
      return text === undefined ? 'lost' : 'forged';
    },
    write: (head) => write(known ?? makeKey(), head),
  };
}

function parse(text: string): (AuditHead & { mac: string }) | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { seq, hash, mac } = value;
    if (typeof seq !== 'number' || typeof hash !== 'string' || typeof mac !== 'string') return undefined;
    return { seq, hash, mac };
  } catch {
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** False when there is no such file. */
function writeOver(path: string, text: string): boolean {
  try {
    writeText(path, 'r+', text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function writeText(path: string, flag: string, text: string): void {
  const file = openSync(path, flag, 0o600);
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}
