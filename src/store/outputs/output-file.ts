import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Masker } from '../../core/index.ts';

/** Small pieces are gathered up to this many bytes before they are written. */
const BUFFER_BYTES = 64 * 1_024;

export interface FinishedFile {
  readonly bytes: number;
  /** sha-256 of the content, hex. */
  readonly hash: string;
}

/** A new file that is written piece by piece, in order; what it holds in memory is bounded by awaiting `write`. */
export interface OutputFile {
  write(piece: string | Uint8Array): Promise<void>;
  /** Hands what is held back to the system, for who reads the file before its end. */
  sync(): Promise<void>;
  /** Writes what is held back, flushes to the disk and closes. */
  finish(): Promise<FinishedFile>;
  /** Closes without a word about what was written. */
  abandon(): Promise<void>;
}

/** With a masker, bytes are read as UTF-8 text and everything passes through its stream. */
export async function createOutputFile(path: string, masker?: Masker): Promise<OutputFile> {
  const handle = await open(path, 'wx', 0o600);
  const encode = masker ? maskedBytes(masker) : plainBytes();
  const hash = createHash('sha256');
  let bytes = 0;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let tail: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    const chunk = held.length === 1 ? (held[0] as Uint8Array) : Buffer.concat(held);
    held = [];
    heldBytes = 0;
    tail = tail.then(() => writeAll(handle, chunk));
    // The failure is told to whoever awaits this write or the next one.
    tail.catch(() => {});
    return tail;
  };
  const add = async (chunk: Uint8Array): Promise<void> => {
    if (chunk.length > 0) {
      hash.update(chunk);
      bytes += chunk.length;
      held.push(chunk);
      heldBytes += chunk.length;
    }
    if (heldBytes >= BUFFER_BYTES) await flush();
  };

  return {
    write: (piece) => add(encode.push(piece)),
    sync: () => (heldBytes === 0 ? tail : flush()),
    async finish() {
      await add(encode.end());
      await flush();
      await handle.datasync();
      await handle.close();
      return { bytes, hash: hash.digest('hex') };
    },
    async abandon() {
      await tail.catch(() => {});
      await handle.close().catch(() => {});
    },
  };
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let offset = 0; offset < chunk.length; ) {
    offset += (await handle.write(chunk, offset)).bytesWritten;
  }
}

interface Encoder {
  push(piece: string | Uint8Array): Uint8Array;
  end(): Uint8Array;
}

/** Half a surrogate pair at the end of a piece waits for its other half. */
function plainBytes(): Encoder {
  let half = '';
  return {
    push(piece) {
      if (typeof piece !== 'string') {
        // The caller may use its buffer again before it is written.
        const before = Buffer.from(half);
        half = '';
        return Buffer.concat([before, piece]);
      }
      const text = half + piece;
      const last = text.charCodeAt(text.length - 1);
      half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : '';
      return Buffer.from(half === '' ? text : text.slice(0, -1));
    },
    end: () => Buffer.from(half),
  };
}

function maskedBytes(masker: Masker): Encoder {
  const mask = masker.stream();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const plain = plainBytes();
  return {
    push(piece) {
      const text = typeof piece === 'string' ? decoder.decode() + piece : decoder.decode(piece, { stream: true });
      return plain.push(mask.push(text));
    },
    end: () => Buffer.concat([plain.push(mask.push(decoder.decode()) + mask.end()), plain.end()]),
  };
}
