import { basename } from 'node:path';
import { type FileStat, sameStamp, type ToolContext, ToolwrightError } from '../../core/index.ts';
import { loadFile, MOST_HASHED_BYTES, statFile } from '../files/load-file.ts';

/** Bytes to be shown, from a file or from a stored output. */
export interface Source {
  /** The name for the model. */
  readonly shown: string;
  readonly size: number;
  /** All of it, when it is small. */
  readonly whole?: Buffer;
  read(offset: number, length: number): Promise<Buffer>;
  /** What it was read as: marks the file as read, and its text as shown by this call. Absent for outputs. */
  readonly file?: SourceFile;
}

export interface SourceFile {
  readonly real: string;
  readonly stat: FileStat;
  /** Throws when the file has changed since it was opened. */
  settle(): Promise<void>;
}

const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The stored output or the file that a path names. `isShown` may answer before anything is read. */
export async function openSource(
  path: string,
  ctx: ToolContext,
  isShown: (real: string, stat: FileStat) => boolean,
): Promise<Source | 'unchanged'> {
  const stored = await openStored(path, ctx);
  if (stored) return stored;
  const target = await ctx.roots.resolve(path, 'read');
  const shown = ctx.roots.display(target.path);
  const stat = await statFile(target, ctx);
  if (isShown(target.real, stat)) return 'unchanged';
  const read = async (offset: number, length: number) =>
    bufferOf(await ctx.sandbox.read(target.real, { offset, length }));
  if (stat.size > MOST_HASHED_BYTES) {
    const settle = async () => {
      const now = await ctx.sandbox.stat(target.real);
      if (now && sameStamp(now, stat)) ctx.files.see(target.real, { hash: '', ...stampOf(stat) });
      else throw changed(shown);
    };
    return { shown, size: stat.size, read, file: { real: target.real, stat, settle } };
  }
  const loaded = await loadFile(target, ctx, stat);
  const settle = async () => ctx.files.see(target.real, { hash: loaded.hash, ...stampOf(loaded.stat) });
  return {
    shown,
    size: loaded.bytes.length,
    whole: loaded.bytes,
    read: async (offset, length) => loaded.bytes.subarray(offset, offset + length),
    file: { real: target.real, stat: loaded.stat, settle },
  };
}

async function openStored(path: string, ctx: ToolContext): Promise<Source | undefined> {
  if (!ctx.outputs.owns(path)) return undefined;
  const size = await ctx.outputs.size(path);
  if (size === undefined) return undefined;
  const read = async (offset: number, length: number) => bufferOf(await ctx.outputs.read(path, { offset, length }));
  if (size > MOST_HASHED_BYTES) return { shown: path, size, read };
  const whole = await read(0, size);
  return {
    shown: path,
    size: whole.length,
    whole,
    read: async (offset, length) => whole.subarray(offset, offset + length),
  };
}

export const stampOf = ({ size, mtimeNs, ctimeNs }: FileStat) => ({ size, mtimeNs, ctimeNs });

function changed(shown: string): ToolwrightError {
  return new ToolwrightError('failed', `${basename(shown)} changed while it was read.`, {
    retryable: true,
    hint: 'Read it again; something writes to it just now. To follow a growing file use run_bash with tail.',
  });
}
