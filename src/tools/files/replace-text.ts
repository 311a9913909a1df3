import { isSafeBoundary } from './boundary.ts';
import { type NormalText, withLineFeeds } from './normal-text.ts';
import { type TextFile, textFileOf } from './text-file.ts';

/** One change in the file's own text: what stands between two places becomes `insert`. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

export type Replaced =
  | { readonly file: TextFile }
  /** Why the file cannot take the change without being bent. */
  | { readonly refused: string };

/**
 * Puts `next` in the place of `old` at each place of the normal text. Only the bytes that really differ are
 * exchanged: what both texts begin and end with is not touched, every other byte of the file is copied.
 * Line feeds of `next` are written as those that they replace, else as the nearest ones of the file.
 */
export function replaceText(
  file: TextFile,
  normal: NormalText,
  places: readonly number[],
  old: string,
  next: string,
): Replaced {
  const same = commonEnds(old, withLineFeeds(next));
  const nearest = file.text.includes('\n') ? nearestEndings(normal) : undefined;
  const changes = places.map((place) => changeAt(normal, place, old, next, same, nearest));
  const offsets = file.offsets(changes.flatMap(({ start, end }) => [start, end]));
  const pieces: Uint8Array[] = [];
  let done = 0;
  for (const [index, { insert }] of changes.entries()) {
    const start = offsets[2 * index];
    const end = offsets[2 * index + 1];
    const bytes = file.codec.encode(insert);
    if (bytes === undefined) {
      return {
        refused: `new_string holds characters that ${file.encoding.name}, the encoding of this file, cannot write`,
      };
    }
    if (start === undefined || end === undefined) {
      return { refused: 'the place lies among bytes that cannot be decoded without loss' };
    }
    if (!file.encoding.certain) {
      const refused = refusedByDoubt(file, start, end, insert);
      if (refused !== undefined) return { refused };
    }
    pieces.push(file.bytes.subarray(done, start), bytes);
    done = end;
  }
  pieces.push(file.bytes.subarray(done));
  const changed = textFileOf(Buffer.concat(pieces), file.encoding, file.codec);
  if (!file.encoding.strict && changed.text !== splice(file.text, changes)) {
    return { refused: `the new text cannot be joined to its surroundings in ${file.encoding.name}` };
  }
  return { file: changed };
}

function refusedByDoubt({ bytes, encoding }: TextFile, start: number, end: number, insert: string): string | undefined {
  if (/[^\0-\x7f]/.test(insert)) {
    return `the encoding of this file is not certain (it looks like ${encoding.name}), so only ASCII text can be put into it`;
  }
  if (isSafeBoundary(bytes, start) && isSafeBoundary(bytes, end)) return undefined;
  return `the encoding of this file is not certain (it looks like ${encoding.name}), and the place could lie inside a character`;
}

/** How many characters two texts begin and end with alike; never half of a surrogate pair. */
function commonEnds(a: string, b: string): { before: number; after: number } {
  const most = Math.min(a.length, b.length);
  let before = 0;
  while (before < most && a.charCodeAt(before) === b.charCodeAt(before)) before++;
  if (before > 0 && isHighSurrogate(a.charCodeAt(before - 1))) before--;
  let after = 0;
  while (after < most - before && a.charCodeAt(a.length - 1 - after) === b.charCodeAt(b.length - 1 - after)) after++;
  if (after > 0 && isLowSurrogate(a.charCodeAt(a.length - after))) after--;
  return { before, after };
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

function changeAt(
  normal: NormalText,
  place: number,
  old: string,
  next: string,
  same: { before: number; after: number },
  nearest: Nearest | undefined,
): Change {
  const from = place + same.before;
  const to = place + old.length - same.after;
  const raw = nearest ? withLineFeeds(next) : next;
  const insert = raw.slice(same.before, raw.length - same.after);
  const written = nearest ? withEndings(insert, normal, from, to, nearest) : insert;
  return { start: normal.original(from), end: normal.original(to), insert: written };
}

/** The n-th line feed takes the way of writing of the n-th that goes; further ones that of the nearest. */
function withEndings(insert: string, normal: NormalText, from: number, to: number, nearest: Nearest): string {
  if (!insert.includes('\n')) return insert;
  let { ending, feed } = nearest(from);
  return insert.replaceAll('\n', () => {
    if (feed >= 0 && feed < to) {
      ending = normal.endingAt(feed);
      feed = normal.text.indexOf('\n', feed + 1);
    }
    return ending;
  });
}

/** The first line feed at or behind a place (-1: none), and how the nearest one is written. Places must ascend. */
type Nearest = (from: number) => { readonly ending: '\n' | '\r\n'; readonly feed: number };

function nearestEndings(normal: NormalText): Nearest {
  let last = -1;
  let feed = normal.text.indexOf('\n');
  return (from) => {
    while (feed >= 0 && feed < from) {
      last = feed;
      feed = normal.text.indexOf('\n', feed + 1);
    }
    return { feed, ending: normal.endingAt(feed >= 0 ? feed : last) };
  };
}

function splice(text: string, changes: readonly Change[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, insert } of changes) {
    pieces.push(text.slice(done, start), insert);
    done = end;
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}
