import { type ResolvedPath, sizeText, type ToolContext, type ToolOutput } from '../../core/index.ts';
import { unifiedDiff } from '../files/unified-diff.ts';

/** The result of a write: what was done, and the difference for screens where both sides are text. */
export async function written(
  done: 'Created' | 'Overwrote' | 'Appended to',
  target: ResolvedPath,
  bytes: Uint8Array,
  texts: { before: string; after: string } | undefined,
  ctx: ToolContext,
  note = '',
): Promise<ToolOutput> {
  const shown = ctx.roots.display(target.path);
  const data = { path: shown, created: done === 'Created', bytes: bytes.byteLength };
  const size = `${shown} (now ${sizeText(bytes.byteLength)}`;
  if (!texts) return { content: `${done} ${size}).${note}`, data };
  const { changed: _, ...diff } = await unifiedDiff(shown, texts.before, texts.after);
  const lines = done === 'Created' ? `, ${diff.added} lines` : `; lines: ${diff.added} added, ${diff.removed} removed`;
  return { content: `${done} ${size}${lines}).${note}`, data: { ...data, ...diff } };
}
