import { link, open, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  isToolwrightError,
  type Masker,
  messageOf,
  type NewId,
  type Outputs,
  type OutputWriter,
  randomId,
  type StoredOutput,
  ToolwrightError,
} from '../../core/index.ts';
import { makeFolder } from '../make-folder.ts';
import { createOutputFile, type FinishedFile } from './output-file.ts';
import { safeFileName, variantName } from './safe-file-name.ts';
import { sameContent } from './same-content.ts';

export interface FileOutputsOptions {
  /** The session's own folder; made when it is first written to. */
  readonly folder: string;
  /** When given, only what it lets through reaches the disk. */
  readonly masker?: Masker;
  readonly newId?: NewId;
  /** Runs search programs on this machine. */
  readonly searcher?: Outputs['searcher'];
}

const OWNED = /^outputs\/([a-z0-9_][a-z0-9._-]{0,119})\.txt$/;

/**
 * Outputs of one session as files, each under the safe form of its call's id. A file has its name once it is
 * complete, and is never changed; before that this process alone reads it: the same content again is the same file, other content of the same call
 * gets another name. A failing disk is ToolwrightError `failed`.
 */
export function createFileOutputs({ folder, masker, newId = randomId, searcher }: FileOutputsOptions): Outputs {
  const fileOf = (path: string): string | undefined => {
    const name = OWNED.exec(path)?.[1];
    return name === undefined ? undefined : join(folder, `${name}.txt`);
  };
  /** Outputs under way, by path. */
  const live = new Map<string, { file: string; sync(): Promise<void> }>();
  const readable = async (path: string): Promise<string | undefined> => {
    const under = live.get(path);
    await under?.sync().catch(() => {});
    return under?.file ?? fileOf(path);
  };
  const sizeOf = async (file: string | undefined): Promise<number | undefined> => {
    const found = file === undefined ? undefined : await stat(file).catch(() => undefined);
    return found?.isFile() ? found.size : undefined;
  };

  /** Gives a finished file its name, without ever writing over one. */
  const publish = async (temporary: string, callId: string, { bytes, hash }: FinishedFile): Promise<StoredOutput> => {
    for (const id of [safeFileName(callId), variantName(callId, hash)]) {
      const file = join(folder, `${id}.txt`);
      if ((await moveToNew(temporary, file)) || (await sameContent(file, bytes, hash))) {
        return { id, path: `outputs/${id}.txt`, bytes };
      }
    }
    throw new ToolwrightError('failed', `No free name for the output of call ${JSON.stringify(callId)}.`);
  };

  return {
    async open(callId): Promise<OutputWriter> {
      const temporary = join(folder, `.${newId()}.part`);
      const file = await storing(async () => {
        makeFolder(folder);
        return createOutputFile(temporary, masker);
      });
      const livePath = `outputs/${safeFileName(callId)}.txt`;
      const entry = { file: temporary, sync: file.sync };
      if (!live.has(livePath)) live.set(livePath, entry);
      const discard = async () => {
        if (live.get(livePath) === entry) live.delete(livePath);
        await file.abandon();
        await unlink(temporary).catch(() => {});
      };
      let ended: Promise<StoredOutput | undefined> | undefined;
      const end = (work: () => Promise<StoredOutput | undefined>) => {
        ended ??= work();
        return ended;
      };
      return {
        livePath,
        async write(piece) {
          if (ended) throw new ToolwrightError('failed', 'The output was ended already.');
          await storing(() => file.write(piece));
        },
        async close() {
          const publishOnce = () =>
            storing(async () => publish(temporary, callId, await file.finish())).finally(discard);
          const stored = await end(publishOnce);
          if (!stored) throw new ToolwrightError('failed', 'The output was discarded.');
          return stored;
        },
        async discard() {
          await end(() => discard().then(() => undefined)).catch(() => {});
        },
      };
    },
    ...(searcher ? { searcher } : {}),
    owns: (path) => OWNED.test(path),
    async read(path, { offset = 0, length = Number.POSITIVE_INFINITY } = {}) {
      const file = await readable(path);
      const size = await sizeOf(file);
      if (file === undefined || size === undefined) {
        throw new ToolwrightError('not_found', `There is no stored output ${path}.`, {
          hint: 'Use the path exactly as the shortened result named it.',
        });
      }
      if (!(offset >= 0) || !(length >= 0)) {
        throw new ToolwrightError('invalid_request', `Cannot read ${length} bytes from ${offset}.`);
      }
      return storing(() =>
        readRange(file, Math.floor(offset), Math.floor(Math.min(length, Math.max(0, size - offset)))),
      );
    },
    size: async (path) => sizeOf(await readable(path)),
    async hostPath(path) {
      const file = await readable(path);
      return (await sizeOf(file)) === undefined ? undefined : file;
    },
  };
}

async function storing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isToolwrightError(error)) throw error;
    throw new ToolwrightError('failed', `The output could not be stored: ${messageOf(error)}`, {
      hint: 'Check the free space and the rights of the outputs folder.',
      cause: error,
    });
  }
}

/** False when a file of that name exists. A link never writes over one; a disk without links gets the name claimed first. */
async function moveToNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code ?? '')) throw error;
  }
  try {
    await (await open(to, 'wx', 0o600)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await rename(from, to);
  return true;
}

async function readRange(file: string, offset: number, length: number): Promise<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    const bytes = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await handle.read(bytes, filled, length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await handle.close();
  }
}
