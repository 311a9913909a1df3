/** The text cut to at most `max` UTF-16 units, never through a surrogate pair. */
export function cutEnd(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = isHigh(text.charCodeAt(max - 1)) ? max - 1 : max;
  return text.slice(0, Math.max(0, end));
}

/** The last at most `max` UTF-16 units, never beginning inside a surrogate pair. */
export function cutStart(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = text.length - max;
  return text.slice(isLow(text.charCodeAt(start)) ? start + 1 : start);
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** The beginning of a text, cut at a line end when one lies in its second half. */
export function headOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = cutEnd(text, max);
  const line = cut.lastIndexOf('\n');
  return line >= cut.length / 2 ? cut.slice(0, line) : cut;
}

/** The end of a text, begun at a line when one begins in its first half. */
export function tailOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = cutStart(text, max);
  const line = cut.indexOf('\n');
  return line >= 0 && line < cut.length / 2 ? cut.slice(line + 1) : cut;
}

/** A size for people: `512 bytes`, `3.4 KB`, `50.0 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} bytes`;
  if (bytes < 1_048_576) return `${(bytes / 1_024).toFixed(1)} KB`;
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}

/** Most text has none of it, and looking by pattern is ten times as fast as letter by letter. */
const BEYOND_ASCII = /[^\0-\x7f]/;

/** Bytes of a text in UTF-8; a lone surrogate counts as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  if (!BEYOND_ASCII.test(text)) return bytes;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    if (isHigh(unit) && isLow(text.charCodeAt(i + 1))) i++;
  }
  return bytes;
}
