import type { ResolvedPath, ToolContext, ToolOutput } from '../../core/index.ts';
import { codecFor } from '../files/codec.ts';
import { loadFile, MOST_HASHED_BYTES, statFile } from '../files/load-file.ts';
import { requireSeen } from '../files/require-seen.ts';
import { saveFile } from '../files/save-file.ts';
import { inspectBytes, type TextEncoding, UTF_8 } from '../files/text-encoding.ts';
import { openTextFile } from '../files/text-file.ts';
import { written } from './written.ts';

const MARK = '\ufeff';

/** Replaces a file that was read and has not changed since; how a marked file was encoded is kept. */
export async function overwriteFile(target: ResolvedPath, content: string, ctx: ToolContext): Promise<ToolOutput> {
  const stat = await statFile(target, ctx);
  const isBig = stat.size > MOST_HASHED_BYTES;
  const head = isBig
    ? { bytes: Buffer.from(await ctx.sandbox.read(target.real, { length: 4 })), stat, hash: '' }
    : undefined;
  const file = head ?? (await loadFile(target, ctx, stat));
  requireSeen(target, file, ctx);
  const old = await inspectBytes(file.bytes, !isBig);
  const encoding = old.kind === 'text' ? old.encoding : UTF_8;
  const bytes = await encode(content, encoding);
  await saveFile(target, bytes, file.stat, ctx);
  const before = old.kind === 'text' && !isBig ? (await openTextFile(file.bytes, encoding)).text : undefined;
  const texts = before === undefined ? undefined : { before, after: content };
  return written('Overwrote', target, bytes, texts, ctx, changedEncoding(encoding, content));
}

async function encode(content: string, encoding: TextEncoding): Promise<Buffer> {
  if (encoding.bom === 0) return Buffer.from(content);
  const marked = content.startsWith(MARK) ? content : MARK + content;
  return (await codecFor(encoding)).encode(marked) ?? Buffer.from(marked);
}

function changedEncoding({ name, bom }: TextEncoding, content: string): string {
  const isSame = bom > 0 || name === 'utf-8' || (!name.startsWith('utf-16') && !/[^\0-\x7f]/.test(content));
  return isSame ? '' : ` The file was in ${name} before and is UTF-8 now.`;
}
