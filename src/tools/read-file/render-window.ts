import { cutEnd } from '../../core/index.ts';
import type { Codec } from '../files/codec.ts';
import type { CutLine } from './line-window.ts';

export interface RenderedLines {
  readonly text: string;
  /** How many of the lines fitted. */
  readonly count: number;
  /** Numbers of the lines that were cut. */
  readonly cut: readonly number[];
  readonly nuls: number;
  readonly crlf: number;
}

export const MOST_LINE_CHARS = 2_000;
export const MOST_CHARS = 50_000;
/** Below the 12,000 that a result may have, for what stands around the lines. */
const MOST_TOKENS = 11_500;

/** Lines as the model sees them: number, tab, text; as many as a result may hold. */
export async function renderWindow(lines: readonly CutLine[], first: number, codec: Codec): Promise<RenderedLines> {
  const { estimateTokenCount } = await import('tokenx');
  const rows: string[] = [];
  const cut: number[] = [];
  let chars = 0;
  let tokens = 0;
  let nuls = 0;
  let crlf = 0;
  for (const [index, line] of lines.entries()) {
    const number = first + index;
    const raw = codec.decode(line.bytes);
    const text = cutEnd(raw, MOST_LINE_CHARS);
    const isCut = text.length < raw.length || line.bytes.length < line.length;
    const row = `${number}\t${shownText(text)}${isCut ? cutNote(text.length, line, codec) : ''}`;
    chars += row.length + 1;
    tokens += estimateTokenCount(row) + 1;
    if (rows.length > 0 && (chars > MOST_CHARS || tokens > MOST_TOKENS)) break;
    rows.push(row);
    if (isCut) cut.push(number);
    if (text.includes('\0')) nuls++;
    if (line.ending === '\r\n') crlf++;
  }
  return { text: rows.join('\n'), count: rows.length, cut, nuls, crlf };
}

/** A NUL in a result breaks stores and providers; it is shown as its picture. */
const shownText = (text: string) => text.replaceAll('\0', '\u2400');

function cutNote(shown: number, line: CutLine, codec: Codec): string {
  const inBytes = line.length / codec.unit;
  const unit = codec.unit === 1 ? 'bytes' : 'characters';
  return ` … [line cut: its first ${shown} characters are shown, it has ${inBytes.toLocaleString('en-US')} ${unit}]`;
}
