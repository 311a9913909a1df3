import {
  isToolwrightError,
  type ResolvedPath,
  type ToolContext,
  type ToolOutput,
  ToolwrightError,
} from '../../core/index.ts';
import { codecFor } from '../files/codec.ts';
import { hashOf, type LoadedFile } from '../files/load-file.ts';
import { loadForChange } from '../files/open-for-edit.ts';
import { inspectBytes } from '../files/text-encoding.ts';
import { openTextFile } from '../files/text-file.ts';
import { written } from './written.ts';

const MOST_TRIES = 5;

/**
 * Adds to the end of what the file holds at the moment of the write. Needs no reading before, as nothing
 * is lost; a change by others in between only means doing it again.
 */
export async function appendToFile(target: ResolvedPath, content: string, ctx: ToolContext): Promise<ToolOutput> {
  for (let tries = 1; ; tries++) {
    const file = await loadForChange(target, ctx);
    const { bytes, before } = await joined(file, content, ctx.roots.display(target.path));
    try {
      const { size, mtimeNs, ctimeNs } = await ctx.sandbox.write(target.real, bytes, { expect: file.stat });
      const known = ctx.files.seen(target.real)?.hash;
      if (known !== undefined && known !== '' && known === file.hash) {
        ctx.files.renew(target.real, { hash: hashOf(bytes), size, mtimeNs, ctimeNs });
      }
    } catch (error) {
      if (tries < MOST_TRIES && isStale(error)) continue;
      throw error;
    }
    const texts = before === undefined ? undefined : { before, after: before + content };
    return written('Appended to', target, bytes, texts, ctx);
  }
}

async function joined(file: LoadedFile, content: string, shown: string): Promise<{ bytes: Buffer; before?: string }> {
  const found = await inspectBytes(file.bytes, true);
  if (found.kind === 'binary') {
    throw new ToolwrightError('failed', `${shown} is binary (${found.type}); text cannot be added to it.`, {
      hint: 'Write to another file.',
      data: { reason: 'binary' },
    });
  }
  const { encoding } = found;
  const added = (await codecFor(encoding)).encode(content);
  const isAscii = !/[^\0-\x7f]/.test(content);
  if (added === undefined || !(encoding.certain || isAscii)) {
    const why =
      added === undefined ? 'which cannot write this content' : 'but that is a guess, and the content is not ASCII';
    throw new ToolwrightError('failed', `${shown} is in ${encoding.name}, ${why}. Nothing was changed.`, {
      hint: 'Convert the file to UTF-8 first (run_bash with iconv), or overwrite it.',
      data: { reason: 'encoding' },
    });
  }
  const before = (await openTextFile(file.bytes, encoding)).text;
  return { bytes: Buffer.concat([file.bytes, added]), before };
}

const isStale = (error: unknown) =>
  isToolwrightError(error) && (error.data as { reason?: unknown } | undefined)?.reason === 'stale';
