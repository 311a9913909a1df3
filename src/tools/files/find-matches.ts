export interface Matches {
  /** From left to right, none touching another; only the first when not all were asked for. */
  readonly apart: readonly number[];
  /** All places, overlapping ones too, up to `MOST_PLACES`. */
  readonly places: readonly number[];
}

/** Who is told of a thousand places needs no more. */
export const MOST_PLACES = 1_000;

export function findMatches(text: string, wanted: string, all: boolean): Matches {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && places.length < MOST_PLACES; at = text.indexOf(wanted, at + 1)) {
    places.push(at);
  }
  if (!all || places.length === 0) return { apart: places.slice(0, 1), places };
  const apart: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) apart.push(at);
  return { apart, places };
}

/** Line numbers (from 1) of ascending places. */
export function lineNumbers(text: string, places: readonly number[]): number[] {
  let line = 1;
  let feed = text.indexOf('\n');
  return places.map((place) => {
    while (feed >= 0 && feed < place) {
      line++;
      feed = text.indexOf('\n', feed + 1);
    }
    return line;
  });
}
