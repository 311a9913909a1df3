import { stripVTControlCharacters } from 'node:util';
import type { Clock } from '../../core/index.ts';
import type { Terminal } from '../io.ts';
import { rowsOf } from './clip.ts';

/** Twenty pictures a second are all that an eye can follow. */
const FRAME_MS = 50;
/** While a window is drawn to its size every step would leave rows that were wrapped anew. */
const RESIZE_MS = 200;
/** Rows of a line of text that goes on, while the region is below it. */
const OPEN_ROWS = 3;

/** A terminal with finished text, and below it a region that is painted over and over. */
export interface LiveScreen {
  /** More text above the region; it stays. */
  print(text: string): void;
  /** The region has something new to show. */
  refresh(): void;
  /** Resolves when the terminal has taken what was written. */
  settled(): Promise<void>;
  /** Takes the region away, until `show`; what is printed meanwhile waits. */
  hide(): Promise<void>;
  show(): void;
  /** Prints what waits; the region must be empty by now. */
  close(): Promise<void>;
}

export interface LiveScreenOptions {
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** The region's rows: at most so many, each at most so wide. */
  readonly region: (columns: number, rows: number) => readonly string[];
}

/**
 * The cursor stands at the beginning of the row below the region, and moves only up by the rows that were
 * painted: whatever the terminal did to them (they are wrapped anew when it gets narrower), text above is never
 * painted over. No row fills the last column, where terminals differ in when they wrap.
 */
export function createLiveScreen({ terminal, clock, region }: LiveScreenOptions): LiveScreen {
  /** Text that has not been written, the line that goes on included while it stands in the region. */
  let waiting = '';
  /** Rows of the region as it is on the screen. */
  let drawn = 0;
  let frame = '';
  /** What is on the screen above ends in the middle of a line. */
  let isOpen = false;
  let isHidden = false;
  let painted = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<Clock['after']> | undefined;
  let writing: Promise<void> | undefined;

  const write = (text: string): void => {
    if (text === '') return;
    const done = terminal.write(text).finally(() => {
      if (writing !== done) return;
      writing = undefined;
      if (isStale) refresh();
    });
    writing = done;
  };
  /** Something came while the terminal was busy or the region away. */
  let isStale = false;

  const erased = (): string => {
    const text = drawn === 0 ? '' : `\r\x1b[${drawn}A\x1b[J`;
    drawn = 0;
    frame = '';
    return text;
  };
  const unpainted = (): string => {
    const text = erased() + waiting;
    if (waiting !== '') isOpen = !waiting.endsWith('\n');
    waiting = '';
    return text;
  };
  const paint = (): void => {
    if (timer !== undefined) clock.clear(timer);
    timer = undefined;
    isStale = false;
    painted = clock.now();
    const columns = Math.max(1, terminal.columns - 1);
    const rows = Math.max(1, terminal.rows - 1);
    const end = waiting.lastIndexOf('\n') + 1;
    const goesOn = waiting.slice(end);
    const open = goesOn === '' ? [] : rowsOf(stripVTControlCharacters(goesOn), columns).slice(-OPEN_ROWS);
    const below = region(columns, Math.max(1, rows - open.length));
    if (below.length === 0) {
      write(unpainted());
      return;
    }
    const next = [...open, ...below].map((row) => `${row}\x1b[K\n`).join('');
    const begun = isOpen && !waiting.startsWith('\n') ? '\n' : '';
    if (end > 0 || begun !== '') {
      write(`${erased()}${begun}${waiting.slice(0, end)}${next}`);
      waiting = goesOn;
    } else if (next !== frame) {
      write(`${drawn === 0 ? '' : `\r\x1b[${drawn}A`}${next}\x1b[J`);
    }
    isOpen = false;
    frame = next;
    drawn = open.length + below.length;
  };
  const refresh = (): void => {
    isStale = true;
    if (isHidden || timer !== undefined || writing !== undefined) return;
    const rest = drawn === 0 ? 0 : painted + FRAME_MS - clock.now();
    if (rest <= 0) paint();
    else timer = clock.after(rest, paint);
  };
  const stop = (): void => {
    if (timer !== undefined) clock.clear(timer);
    timer = undefined;
  };
  const offResize = terminal.onResize(() => {
    if (drawn === 0 || isHidden) return;
    stop();
    frame = '';
    timer = clock.after(RESIZE_MS, paint);
  });

  return {
    print(text) {
      if (text === '') return;
      waiting += text;
      refresh();
    },
    refresh,
    settled: async () => writing,
    async hide() {
      stop();
      isHidden = true;
      const end = waiting.lastIndexOf('\n') + 1;
      const goesOn = waiting.slice(end);
      waiting = waiting.slice(0, end);
      write(unpainted());
      waiting = goesOn;
      await writing;
    },
    show() {
      isHidden = false;
      refresh();
    },
    async close() {
      stop();
      offResize();
      isHidden = true;
      write(unpainted());
      await writing;
    },
  };
}
