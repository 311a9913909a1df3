import { type ResolvedPath, sizeText, type ToolContext, ToolwrightError } from '../../core/index.ts';
import { type LoadedFile, loadFile, statFile } from './load-file.ts';
import { inspectBytes } from './text-encoding.ts';
import { openTextFile, type TextFile } from './text-file.ts';

/** Files are edited in memory, whole. */
const MOST_EDITED_BYTES = 32 * 1_048_576;

/** Loads a file that is to be changed, refusing one that is too big for it. */
export async function loadForChange(target: ResolvedPath, ctx: ToolContext): Promise<LoadedFile> {
  const stat = await statFile(target, ctx);
  if (stat.size > MOST_EDITED_BYTES) {
    throw new ToolwrightError('too_large', `${ctx.roots.display(target.path)} has ${sizeText(stat.size)}.`, {
      hint: `Files up to ${sizeText(MOST_EDITED_BYTES)} can be changed by this tool; use run_bash (sed, >>) for bigger ones.`,
    });
  }
  return loadFile(target, ctx, stat);
}

/** The text of a loaded file; binary files are refused. */
export async function openText(file: LoadedFile, shown: string): Promise<TextFile> {
  const content = await inspectBytes(file.bytes, true);
  if (content.kind === 'text') return openTextFile(file.bytes, content.encoding);
  throw new ToolwrightError(
    'failed',
    `${shown} is binary (${content.type}); only text can be edited. Nothing was changed.`,
    {
      hint: 'Use run_bash with a program that knows this type of file.',
      data: { reason: 'binary' },
    },
  );
}
