import { type ResolvedPath, sameStamp, type ToolContext, ToolwrightError } from '../../core/index.ts';
import type { LoadedFile } from './load-file.ts';

/**
 * Throws unless the model has read this file and the file is as it was then. By content where it was
 * hashed (a touched file is still the same), else by its stamp. An empty file holds nothing to be lost.
 */
export function requireSeen(target: ResolvedPath, file: LoadedFile, ctx: ToolContext): void {
  if (file.bytes.byteLength === 0) return;
  const shown = ctx.roots.display(target.path);
  const seen = ctx.files.seen(target.real);
  if (!seen) {
    throw new ToolwrightError('failed', `${shown} has not been read yet. Nothing was changed.`, {
      hint: `Call read_file {"path": ${JSON.stringify(shown)}} first, then change what it shows.`,
      data: { reason: 'unread' },
    });
  }
  if (file.hash !== '' && seen.hash !== '' ? file.hash === seen.hash : sameStamp(file.stat, seen)) return;
  throw new ToolwrightError('failed', `${shown} has changed on disk since it was read. Nothing was changed.`, {
    hint: `Call read_file {"path": ${JSON.stringify(shown)}} again, then make the change to what it holds now.`,
    data: { reason: 'stale' },
  });
}
