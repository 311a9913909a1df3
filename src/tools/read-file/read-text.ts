import type { ToolContext, ToolOutput } from '../../core/index.ts';
import { sizeText, ToolwrightError } from '../../core/index.ts';
import { codecFor } from '../files/codec.ts';
import type { TextEncoding } from '../files/text-encoding.ts';
import { createLineWindow, type LineWindow } from './line-window.ts';
import { MOST_CHARS, MOST_LINE_CHARS, type RenderedLines, renderWindow } from './render-window.ts';
import type { Source } from './source.ts';

export interface LineRange {
  readonly offset: number;
  readonly limit: number;
}

const CHUNK = 1_048_576;
/** How far behind the shown lines a big file is still counted through. */
const MOST_COUNTED = 256 * CHUNK;

/** The wanted lines of a text, with a footer that says what was shown and how to go on. */
export async function readText(
  source: Source,
  encoding: TextEncoding,
  { offset, limit }: LineRange,
  ctx: ToolContext,
): Promise<ToolOutput> {
  const codec = await codecFor(encoding);
  const window = createLineWindow({
    unit: codec.unit,
    bigEndian: encoding.name === 'utf-16be',
    first: offset,
    count: limit,
    mostLineBytes: MOST_LINE_CHARS * 4,
    mostBytes: MOST_CHARS * 8,
  });
  const counted = await scan(source, encoding.bom, window, ctx.signal);
  if (window.lines.length === 0) throw pastEnd(source, window.total, offset);
  const shown = await renderWindow(window.lines, offset, codec);
  const last = offset + shown.count - 1;
  const notes = [`lines ${offset}-${last} of ${counted ? window.total : `at least ${window.total}`}`];
  if (last < window.total || !counted) notes.push(`continue with offset=${last + 1}`);
  if (window.lines[shown.count - 1]?.ending === '') notes.push('no newline at the end of the file');
  notes.push(...oddities(shown, encoding));
  return {
    content: `${shown.text}\n[${notes.join('; ')}]${tips(shown, source)}`,
    data: {
      path: source.shown,
      first: offset,
      last,
      ...(counted ? { lines: window.total } : {}),
      bytes: source.size,
      encoding: encoding.name,
    },
  };
}

/** Feeds a source to the window; true when it came to the end of it. */
async function scan(source: Source, start: number, window: LineWindow, signal: AbortSignal): Promise<boolean> {
  let behind = 0;
  for (let at = start; at < source.size; ) {
    signal.throwIfAborted();
    const chunk = await source.read(at, CHUNK);
    if (chunk.length === 0) break;
    window.push(chunk);
    at += chunk.length;
    if (window.full) behind += chunk.length;
    if (behind > MOST_COUNTED && at < source.size) return false;
  }
  window.end();
  return true;
}

function pastEnd(source: Source, total: number, offset: number): ToolwrightError {
  const lines = `${total} line${total === 1 ? '' : 's'}`;
  return new ToolwrightError('failed', `${source.shown} has ${lines}; offset ${offset} is past its end.`, {
    hint: `Use an offset from 1 to ${total}.`,
    data: { reason: 'past_end', lines: total },
  });
}

function oddities({ crlf, count, nuls }: RenderedLines, { name, bom, strict, certain }: TextEncoding): string[] {
  const notes: string[] = [];
  if (name !== 'utf-8')
    notes.push(`encoding: ${name}${certain ? '' : ' (a guess)'}${bom > 0 ? ', with byte order mark' : ''}`);
  else if (!strict) notes.push('not valid UTF-8 everywhere: bytes that are not are shown as \ufffd');
  else if (bom > 0) notes.push('encoding: utf-8 with byte order mark');
  if (crlf > 0) notes.push(crlf < count - 1 ? 'line endings: some \\r\\n, some \\n' : 'line endings: \\r\\n');
  if (nuls > 0) notes.push('NUL characters are shown as \u2400');
  return notes;
}

function tips({ cut }: RenderedLines, { shown, size }: Source): string {
  if (cut.length === 0) return '';
  const which = cut.length === 1 ? `Line ${cut[0]} is` : `${cut.length} lines are`;
  return `\n[${which} too long to show whole (the file has ${sizeText(size)}), and offset cannot reach into a line: find the part with grep_files, or print it with run_bash, such as: cut -c 2001-4000 ${JSON.stringify(shown)}]`;
}
