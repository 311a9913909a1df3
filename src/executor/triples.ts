/** One place for each three ASCII characters; others share those places. */
const SIZE = 2_097_152;
const placeOf = (a: number, b: number, c: number) => ((a << 14) ^ (b << 7) ^ c) & (SIZE - 1);

/** Three characters in a row, each given by all that it may be (UTF-16 units). */
export type Triple = readonly [readonly number[], readonly number[], readonly number[]];

/** Finds places of a text where one of many triples may stand: never passes one over, and seldom stops for nothing. */
export interface Triples {
  /** The first such place from `from` on, -1 when there is none. */
  find(text: string, from: number): number;
}

export function createTriples(triples: readonly Triple[]): Triples {
  const marked = new Uint8Array(SIZE);
  for (const [first, second, third] of triples)
    for (const a of first) for (const b of second) for (const c of third) marked[placeOf(a, b, c)] = 1;
  return {
    find(text, from) {
      let key = (text.charCodeAt(from) << 7) ^ text.charCodeAt(from + 1);
      for (let at = from + 2; at < text.length; at++) {
        key = ((key << 7) ^ text.charCodeAt(at)) & (SIZE - 1);
        if (marked[key] === 1) return at - 2;
      }
      return -1;
    },
  };
}
