import { type ProgressStream, utf8Length } from '../../core/index.ts';

/** Lines of a call that are kept; older ones are only counted. */
const KEPT_LINES = 10;
/** Signs of a line that are kept: more than a screen is wide. */
const KEPT_SIGNS = 1_024;

/** Controls of both sets, and signs that turn the direction of what follows them. */
const CONTROL = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** What a string for the terminal (a title, a query, a picture) ends at; a line's end ends it, too. */
const STRING_END = /[\n\x07\x18\x1a\x1b\x9c]/g;

export interface LiveLine {
  readonly stream: ProgressStream;
  readonly text: string;
}

/** The last lines of what a program prints, as signs that stay where they are put. */
export interface LiveTail {
  /** `offset`: bytes of the stream before it; a gap means that some of it was dropped on the way. */
  push(text: string, stream: ProgressStream, offset: number): void;
  /** Those under way come last. */
  lines(): readonly LiveLine[];
  /** All that came, the shown ones and the others. */
  readonly count: number;
  /** Some never came: there were more. */
  readonly hasGaps: boolean;
}

/**
 * Nothing of what came in reaches a terminal but printable signs and tabs: escape sequences go, also when
 * they come in pieces; a carriage return begins its line anew, a backspace takes one sign back. What no tail
 * can show is looked at only to count its lines.
 */
export function createLiveTail(): LiveTail {
  const whole: LiveLine[] = [];
  const streams = new Map<ProgressStream, ReturnType<typeof createLine>>();
  const bytes = new Map<ProgressStream, number>();
  let count = 0;
  let hasGaps = false;

  const lineOf = (stream: ProgressStream) => {
    const known = streams.get(stream);
    if (known !== undefined) return known;
    const made = createLine((text) => {
      count++;
      whole.push({ stream, text });
      if (whole.length > KEPT_LINES) whole.shift();
    });
    streams.set(stream, made);
    return made;
  };
  return {
    push(text, stream, offset) {
      const line = lineOf(stream);
      hasGaps ||= offset > (bytes.get(stream) ?? 0);
      bytes.set(stream, offset + utf8Length(text));
      const from = tailStart(text);
      if (from > 0) {
        count += newlines(text, from);
        line.restart();
      }
      line.push(from > 0 ? text.slice(from) : text);
    },
    lines() {
      const open = [...streams].flatMap(([stream, { text }]) => (text === '' ? [] : [{ stream, text }]));
      return [...whole, ...open];
    },
    get count() {
      return count + [...streams.values()].filter(({ text }) => text !== '').length;
    },
    get hasGaps() {
      return hasGaps;
    },
  };
}

/** Where the last lines begin that are kept; 0 when there are no more than those. */
function tailStart(text: string): number {
  let at = text.length;
  for (let lines = 0; lines <= KEPT_LINES; lines++) {
    at = at === 0 ? -1 : text.lastIndexOf('\n', at - 1);
    if (at < 0) return 0;
  }
  return at + 1;
}

function newlines(text: string, end: number): number {
  let found = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) found++;
  return found;
}

type State = 'text' | 'escape' | 'sequence' | 'string';

/** One stream's line under way. */
function createLine(onEnd: (text: string) => void) {
  let line = '';
  /** A carriage return came last: what follows is drawn over the line. */
  let isHome = false;
  let state: State = 'text';

  const add = (text: string): void => {
    if (text === '') return;
    if (isHome) line = '';
    isHome = false;
    if (line.length < KEPT_SIGNS) line += text.slice(0, KEPT_SIGNS - line.length);
  };
  const control = (code: number): State => {
    if (code === 0x1b) return 'escape';
    if (code === 0x9b) return 'sequence';
    if (code === 0x90 || code === 0x98 || (code >= 0x9d && code <= 0x9f)) return 'string';
    if (code === 0x0a) {
      onEnd(line);
      line = '';
      isHome = false;
    } else if (code === 0x0d) isHome = true;
    else if (code === 0x08) line = line.slice(0, -1);
    else if (code === 0x09) add('\t');
    return 'text';
  };
  /** Takes what of `text` from `at` on belongs to the state; gives where it stopped. */
  const take = (text: string, at: number): number => {
    if (state === 'text') {
      const end = indexOf(CONTROL, text, at);
      add(text.slice(at, end));
      if (end < text.length) state = control(text.charCodeAt(end));
      return end + 1;
    }
    if (state === 'string') {
      const end = indexOf(STRING_END, text, at);
      if (end === text.length) return end;
      state = text[end] === '\x1b' ? 'escape' : 'text';
      return text[end] === '\n' ? end : end + 1;
    }
    const code = text.charCodeAt(at);
    const isEscape = state === 'escape';
    if (code >= 0x20 && code < (isEscape ? 0x30 : 0x40)) return at + 1;
    state = 'text';
    if (code < 0x20 || code > 0x7e) return at;
    if (isEscape && text[at] === '[') state = 'sequence';
    else if (isEscape && ']PX^_'.includes(text[at] as string)) state = 'string';
    return at + 1;
  };
  return {
    get text() {
      return line;
    },
    push(text: string) {
      for (let at = 0; at < text.length; ) at = take(text, at);
    },
    /** Something was passed over up to a line's end. */
    restart() {
      line = '';
      isHome = false;
      state = 'text';
    },
  };
}

function indexOf(what: RegExp, text: string, from: number): number {
  what.lastIndex = from;
  return what.exec(text)?.index ?? text.length;
}
