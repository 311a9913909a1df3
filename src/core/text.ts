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

/** Bytes of a text in UTF-8; a lone surrogate counts as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    if (isHigh(unit) && isLow(text.charCodeAt(i + 1))) i++;
  }
  return bytes;
}

/** Known names nearest to a wrong one, best first: few changed letters, or one part of the other. */
export function nearNames(wrong: string, known: Iterable<string>, most = 3): string[] {
  const target = wrong.toLowerCase();
  const scored: { name: string; score: number }[] = [];
  for (const name of known) {
    const candidate = name.toLowerCase();
    const limit = Math.max(2, Math.floor(Math.max(target.length, candidate.length) / 3));
    const distance = Math.abs(target.length - candidate.length) > limit ? limit + 1 : editDistance(target, candidate);
    const contains = target.length > 2 && (candidate.includes(target) || target.includes(candidate));
    if (distance <= limit) scored.push({ name, score: distance });
    else if (contains) scored.push({ name, score: limit + 1 });
  }
  return scored
    .sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map((entry) => entry.name);
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(swap, (previous[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    previous = row;
  }
  return previous[b.length] as number;
}
