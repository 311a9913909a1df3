import type { Terminal } from '../src/cli/io.ts';

export interface Screen extends Terminal {
  /** What a person sees, row by row, blank rows at the end left out. */
  seen(): string[];
  /** All rows, those that have scrolled off the top included. */
  all(): string[];
  /** Everything that was written. */
  readonly written: readonly string[];
  resize(columns: number, rows: number): void;
  /** Not at the beginning of a row, or steered in a way that is not known here. */
  readonly faults: readonly string[];
  /** Colours that stand behind a text. */
  coloursOf(text: string): string | undefined;
}

/** A small terminal: rows that wrap and scroll, CR, LF, cursor up, erase to the row's end and below, colours. */
export function createScreen(size: { columns: number; rows: number }): Screen {
  let { columns, rows } = size;
  const lines: string[][] = [[]];
  const written: string[] = [];
  const faults: string[] = [];
  const resized = new Set<() => void>();
  /** The first row that is on the screen. */
  let top = 0;
  let row = 0;
  let column = 0;
  const rowAt = (index: number): string[] => {
    while (lines.length <= index) lines.push([]);
    return lines[index] as string[];
  };
  const down = () => {
    row++;
    rowAt(row);
    if (row - top >= rows) top = row - rows + 1;
  };
  const put = (sign: string) => {
    const width = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uff01-\uff60]|\p{Emoji_Presentation}/u.test(sign) ? 2 : 1;
    if (/\p{Mn}|\u200d/u.test(sign)) return;
    if (column + width > columns) {
      down();
      column = 0;
    }
    const cells = rowAt(row);
    while (cells.length < column) cells.push(' ');
    cells[column] = sign;
    if (width === 2) cells[column + 1] = '';
    column += width;
  };
  const steer = (count: string, letter: string) => {
    if (letter === 'A') row = Math.max(top, row - Number(count || 1));
    else if (letter === 'K' && count === '') rowAt(row).length = Math.min(rowAt(row).length, column);
    else if (letter === 'J' && count === '') {
      rowAt(row).length = Math.min(rowAt(row).length, column);
      lines.length = row + 1;
    } else if (letter !== 'm') faults.push(`CSI ${count}${letter}`);
  };
  return {
    get columns() {
      return columns;
    },
    get rows() {
      return rows;
    },
    written,
    faults,
    async write(text) {
      written.push(text);
      for (const [piece, count, letter] of text.matchAll(/\x1b\[([0-9;]*)([A-Za-z])|[\s\S]/gu)) {
        if (letter !== undefined) steer(count ?? '', letter);
        else if (piece === '\n') {
          down();
          column = 0;
        } else if (piece === '\r') column = 0;
        else if (/[\x00-\x1f\x7f-\x9f]/.test(piece)) faults.push(JSON.stringify(piece));
        else put(piece);
      }
    },
    onResize(fn) {
      resized.add(fn);
      return () => resized.delete(fn);
    },
    resize(wide, high) {
      [columns, rows] = [wide, high];
      top = Math.max(0, row - rows + 1);
      for (const fn of resized) fn();
    },
    seen() {
      const shown = lines.slice(top).map((cells) => cells.join('').trimEnd());
      while (shown.at(-1) === '') shown.pop();
      return shown;
    },
    all() {
      const shown = lines.map((cells) => cells.join('').trimEnd());
      while (shown.at(-1) === '') shown.pop();
      return shown;
    },
    coloursOf(text) {
      const whole = written.join('');
      const at = whole.lastIndexOf(text);
      return at < 0 ? undefined : /((?:\x1b\[\d+m)+)$/.exec(whole.slice(0, at))?.[1];
    },
  };
}
