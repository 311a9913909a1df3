import { createHash } from 'node:crypto';
import { type FileStat, type ResolvedPath, sameStamp, type ToolContext, ToolwrightError } from '../../core/index.ts';
import { describeMissing } from './describe-missing.ts';

/** A file as it was found: content, stamp and hash are of one and the same state. */
export interface LoadedFile {
  readonly bytes: Buffer;
  readonly stat: FileStat;
  readonly hash: string;
}

/** Bigger files are not hashed: their stamp (size, times to the nanosecond) alone tells their state. */
export const MOST_HASHED_BYTES = 8 * 1_048_576;

const MOST_TRIES = 3;

export function hashOf(bytes: Uint8Array): string {
  return bytes.byteLength > MOST_HASHED_BYTES ? '' : createHash('sha256').update(bytes).digest('hex');
}

/** The facts of a file that must be there and be a regular one. */
export async function statFile(target: ResolvedPath, ctx: ToolContext): Promise<FileStat> {
  const stat = await ctx.sandbox.stat(target.real);
  if (!stat) throw await describeMissing(target, ctx);
  requireRegular(ctx.roots.display(target.path), stat);
  return stat;
}

export function requireRegular(shown: string, stat: FileStat): void {
  if (stat.kind === 'file') return;
  const what =
    stat.kind === 'directory' ? 'folder' : stat.kind === 'symlink' ? 'link' : (stat.special ?? 'special file');
  throw new ToolwrightError('failed', `${shown} is a ${what}, not a regular file.`, {
    hint:
      stat.kind === 'directory'
        ? `List it with glob_files {"pattern": "*", "path": ${JSON.stringify(shown)}}, or name a file in it.`
        : 'Only regular files can be read, written and edited.',
    data: { reason: stat.kind === 'directory' ? 'folder' : 'special' },
  });
}

/** Reads a whole file; a change while it is read begins the reading again. */
export async function loadFile(target: ResolvedPath, ctx: ToolContext, first?: FileStat): Promise<LoadedFile> {
  let before = first ?? (await statFile(target, ctx));
  for (let tries = 1; ; tries++) {
    const read = await ctx.sandbox.read(target.real);
    const after = await statFile(target, ctx);
    if (sameStamp(before, after)) {
      const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
      return { bytes, stat: after, hash: hashOf(bytes) };
    }
    if (tries === MOST_TRIES) {
      throw new ToolwrightError('failed', `${ctx.roots.display(target.path)} keeps changing while it is read.`, {
        retryable: true,
        hint: 'Something writes to it just now; try again when that is done.',
      });
    }
    before = after;
  }
}
