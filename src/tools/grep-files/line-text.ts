/** Longest part of one line that is shown. */
export const MOST_SHOWN = 400;
const LEAD = 120;

/** A span of a line, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A line as it is shown: whole when it is short, else cut around its first match. */
export function shortLine(text: string, match: Span | undefined, most = MOST_SHOWN): string {
  if (text.length <= most) return text;
  const from = Math.max(0, Math.min((match?.start ?? 0) - LEAD, text.length - most));
  const start = isLow(text.charCodeAt(from)) ? from + 1 : from;
  const to = Math.min(text.length, start + most);
  const end = isLow(text.charCodeAt(to)) ? to - 1 : to;
  const left = start > 0 ? `[...${start} characters] ` : '';
  const right = end < text.length ? ` [${text.length - end} characters...]` : '';
  return `${left}${text.slice(start, end)}${right}`;
}

const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** A span given in bytes of a text's UTF-8, in units of the text. */
export function unitSpan(bytes: Buffer, start: number, end: number): Span {
  const units = (length: number) => bytes.subarray(0, length).toString('utf8').length;
  return { start: units(start), end: units(end) };
}
