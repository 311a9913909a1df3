import type { Masker } from '../core/index.ts';
import { createSecretFinder, type SecretFinder } from './secret-finder.ts';
import { REST_AT_ONCE } from './secret-forms.ts';

const MASKED = '[masked]';
/** A shorter value is a word that stands in ordinary text too; of 6 and 7 characters only one of letters and others is not. */
const SHORTEST_VALUE = 8;
const SHORTEST_MIXED = 6;
/** A longer value is looked for in pieces of this length, so that a stream holds back less than 4 KB. */
const LONGEST_VALUE = 3_000;
/** Characters before the current place that a form may look back at. */
const LOOK_BEHIND = 4;
/** Pieces joined at a time: a text full of secrets must not cost more memory than one without. */
const JOINED_AT_ONCE = 4_096;

/**
 * Masks the given values and what has the form of a key, token, password or private key; all else stays as it
 * is. A stream gives the same text as the whole, wherever its pieces are cut: it holds back only what may be
 * the beginning of a secret, at most 4 KB.
 */
export function createMasker({ values }: { readonly values: readonly string[] }): Masker {
  const finder = createSecretFinder([...new Set(values.flatMap(waysToWrite).flatMap(searchable))]);
  const stream = () => {
    const run = createRun(finder);
    return { push: (piece: string) => run(piece, false), end: () => run('', true) };
  };
  return { mask: (text) => createRun(finder)(text, true), stream };
}

/** A value as it is, as JSON text has it, as a URL has it, and in base64; half a surrogate pair has no URL form. */
function waysToWrite(value: string): string[] {
  if (!isLong(value)) return [];
  const inUrl = /\p{Surrogate}/u.test(value) ? value : encodeURIComponent(value);
  return [value, JSON.stringify(value).slice(1, -1), inUrl, ...inBase64(value)];
}

const isLong = (value: string) =>
  value.length >= SHORTEST_VALUE ||
  (value.length >= SHORTEST_MIXED && /[A-Za-z]/.test(value) && /[^A-Za-z]/.test(value));

/** What base64 makes of a value wherever it stands in a text: the part that its neighbours have no say in. */
function inBase64(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  if (bytes.length < SHORTEST_VALUE) return [];
  return [0, 1, 2].flatMap((before) => {
    const length = before + bytes.length;
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const own = text.slice(Math.ceil((before * 8) / 6), Math.floor((length * 8) / 6));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** A long value in pieces of one length, so that all its ways to be written are cut alike; the last takes a short rest. */
function searchable(value: string): string[] {
  const count = Math.max(1, Math.ceil((value.length - SHORTEST_VALUE) / LONGEST_VALUE));
  const endOf = (index: number) => (index === count - 1 ? value.length : (index + 1) * LONGEST_VALUE);
  return Array.from({ length: count }, (_, index) => value.slice(index * LONGEST_VALUE, endOf(index)));
}

/** Masks a text that comes in pieces; `last` says that nothing follows. */
function createRun(finder: SecretFinder): (piece: string, last: boolean) => string {
  /** What may be the beginning of a secret, behind the few characters before it. */
  let kept = '';
  let keptFrom = 0;
  /** Set while the end of what came is inside a secret. */
  let rest: RegExp | undefined;

  return (piece, last) => {
    const text = kept + piece;
    const out = createJoiner();
    let at = keptFrom;
    let open = -1;
    for (;;) {
      if (rest) at = skip(rest, text, at);
      if (at === text.length) break;
      rest = undefined;
      if (open < at) open = last ? text.length : finder.open(text, at);
      const found = finder.next(text, at);
      if (!found || found.index >= open) {
        out.add(text.slice(at, open));
        at = open;
        break;
      }
      out.add(text.slice(at, found.start));
      out.add(MASKED);
      at = found.end;
      rest = found.rest;
    }
    keptFrom = Math.min(at, LOOK_BEHIND);
    kept = last ? '' : text.slice(at - keptFrom);
    return out.text();
  };
}

function skip(rest: RegExp, text: string, from: number): number {
  let at = from;
  for (;;) {
    rest.lastIndex = at;
    const length = rest.exec(text)?.[0].length ?? 0;
    at += length;
    if (length < REST_AT_ONCE) return at;
  }
}

function createJoiner() {
  const chunks: string[] = [];
  let pieces: string[] = [];
  return {
    add(piece: string) {
      if (pieces.push(piece) < JOINED_AT_ONCE) return;
      chunks.push(pieces.join(''));
      pieces = [];
    },
    text: () => [...chunks, ...pieces].join(''),
  };
}
