import type { Masker } from '../core/index.ts';
import { MASKED, OPEN_ENDS, SECRET_FORMS } from './secret-forms.ts';

/** A shorter value would mask ordinary text. */
const SHORTEST_VALUE = 8;
/** Longest text that a stream holds back; every form but a long PEM block is shorter. */
const CARRY = 8_192;
/** Forms other than PEM blocks are looked for in this much of the end. */
const OPEN_WINDOW = 2_400;

/**
 * Masks the given values and what looks like a key, token or password, and leaves the rest as it is.
 * As a stream it holds back only text that may be the beginning of a secret, so that a secret is masked
 * wherever the pieces are cut; a private key that is longer than the 8 KB carry is masked up to there.
 */
export function createMasker({ values }: { readonly values: readonly string[] }): Masker {
  const known = [...new Set(values)].filter((value) => value.length >= SHORTEST_VALUE);
  known.sort((a, b) => b.length - a.length);

  const mask = (text: string): string => {
    let masked = text;
    for (const value of known) if (masked.includes(value)) masked = masked.split(value).join(MASKED);
    for (const { hints, pattern, replace } of SECRET_FORMS) {
      if (!hints.some((hint) => masked.includes(hint))) continue;
      masked = replace ? masked.replace(pattern, replace) : masked.replace(pattern, MASKED);
    }
    return masked;
  };

  return {
    mask,
    stream() {
      let held = '';
      return {
        push(piece) {
          const text = held + piece;
          const start = Math.max(0, text.length - CARRY);
          const open = start + openStart(text.slice(start), known);
          held = text.slice(open);
          return mask(text.slice(0, open));
        },
        end() {
          const rest = held;
          held = '';
          return mask(rest);
        },
      };
    },
  };
}

/** Where text begins that may go on to be a secret: the last word, a value that has begun, an open form. */
function openStart(text: string, known: readonly string[]): number {
  let open = lastWord(text);
  for (const value of known) open = Math.min(open, valueStart(text, value));
  const window = Math.max(0, text.length - OPEN_WINDOW);
  for (const { sign, pattern } of OPEN_ENDS) {
    const from = sign === 'PEM' ? 0 : window;
    const found = text.slice(from).search(pattern);
    if (found >= 0) open = Math.min(open, from + found);
  }
  return open;
}

/** The start of the last unbroken word if it holds a known form's sign, or may come to hold one. */
function lastWord(text: string): number {
  let start = text.length;
  while (start > 0 && !/\s/.test(text[start - 1] as string)) start--;
  const word = text.slice(start);
  if (word === '') return text.length;
  for (const { hints } of SECRET_FORMS) {
    for (const hint of hints) {
      if (word.includes(hint)) return start;
      for (let length = Math.min(hint.length - 1, word.length); length > 0; length--) {
        const at = text.length - length;
        if (mayBegin(text, at) && word.endsWith(hint.slice(0, length))) return Math.max(start, at);
      }
    }
  }
  return text.length;
}

/** A form begins at a word's border; a URL's colon stands inside one. */
const mayBegin = (text: string, at: number) => at === 0 || !/\w/.test(text[at - 1] as string) || text[at] === ':';

function valueStart(text: string, value: string): number {
  for (let at = Math.max(0, text.length - value.length + 1); at < text.length; at++) {
    if (text[at] === value[0] && value.startsWith(text.slice(at))) return at;
  }
  return text.length;
}
