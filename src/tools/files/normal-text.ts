/** A text with `\r\n` written as `\n`, and the way back to the places of the text as it was. */
export interface NormalText {
  readonly text: string;
  /** The index in the original text; of a line feed that was `\r\n`, the index of the `\r`. Ascending queries are cheap. */
  original(index: number): number;
  /** `\r\n` or `\n`: how the line feed at this index was written. */
  endingAt(index: number): '\n' | '\r\n';
}

export function normalText(original: string): NormalText {
  if (!original.includes('\r\n')) return { text: original, original: (index) => index, endingAt: () => '\n' };
  const pieces = original.split('\r\n');
  /** Places, in the normal text, of the line feeds that were pairs. */
  const pairs: number[] = [];
  let length = 0;
  for (const piece of pieces.slice(0, -1)) {
    length += piece.length;
    pairs.push(length);
    length += 1;
  }
  return {
    text: pieces.join('\n'),
    original: (index) => index + countBelow(pairs, index),
    endingAt: (index) => (pairs[countBelow(pairs, index)] === index ? '\r\n' : '\n'),
  };
}

/** How many of the ascending numbers are below a limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const withLineFeeds = (text: string) => text.replaceAll('\r\n', '\n');
