import type { ToolOutput } from '../../core/index.ts';
import type { RowBudget } from '../search/row-budget.ts';
import { MOST_SHOWN, shortLine } from './line-text.ts';
import { type FoundLine, matchPath, readMessage } from './read-message.ts';

/** Characters that the lines around one match may take together. */
const MOST_AROUND = 15_000;
const LEAST_SHOWN = 60;

/** Gathers matching lines until there are enough. */
export interface ContentSearch {
  take(item: string): boolean;
  /** The beginning of what was too long to take. */
  takeLong(head: string): void;
  readonly found: number;
  output(notes: readonly string[]): ToolOutput;
}

export interface ContentOptions {
  readonly limit: number;
  /** The highest limit that may be asked for. */
  readonly most: number;
  readonly before: number;
  readonly after: number;
  readonly budget: RowBudget;
  readonly wants: (printed: string) => boolean;
  readonly display: (printed: string) => string;
}

interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** What was found in the file that is being read; whether it is binary is known at its end. */
interface OpenFile {
  rows: { readonly line: number; readonly text: string }[];
  readonly matches: Match[];
  found: number;
  /** The last line shown, and the last one that matched. */
  last: number | undefined;
  lastMatch: number;
}

const newFile = (): OpenFile => ({ rows: [], matches: [], found: 0, last: undefined, lastMatch: 0 });

export function createContentSearch(options: ContentOptions): ContentSearch {
  const { limit, most, before, after, budget, wants, display } = options;
  const around = before + after;
  const mostAround = Math.min(MOST_SHOWN, Math.max(LEAST_SHOWN, Math.floor(MOST_AROUND / Math.max(1, around))));
  const lines: string[] = [];
  const matches: Match[] = [];
  let files = 0;
  let count = 0;
  let open = newFile();
  let cut: 'limit' | 'size' | undefined;
  let leftOut = 0;

  const close = (note?: string) => {
    if (open.found > 0) files++;
    const rows = note === undefined ? open.rows.map(({ text }) => text) : open.found > 0 ? [note] : [];
    if (around > 0 && lines.length > 0 && rows.length > 0) lines.push('--');
    lines.push(...rows);
    if (note === undefined) matches.push(...open.matches);
    open = newFile();
  };

  const addRow = (line: number, text: string) => {
    if (around > 0 && open.last !== undefined && open.last < line - 1) open.rows.push({ line, text: '--' });
    open.rows.push({ line, text });
    open.last = line;
    budget.charge(text);
  };

  /** Ends the search before a match; the lines before it, gathered already, are no longer of use. */
  const stop = (why: 'limit' | 'size') => {
    cut = why;
    const last = open.found === 0 ? 0 : open.lastMatch + after;
    open.rows = open.rows.filter(({ line }) => line <= last);
    return false;
  };

  const addAround = (path: string, { line, text }: FoundLine) => {
    if (budget.spent) leftOut++;
    else addRow(line, `${path}-${line}-${shortLine(text, undefined, mostAround)}`);
  };

  /** False when it is one too many. */
  const addMatch = (path: string, { line, text: whole, match }: FoundLine): boolean => {
    if (count >= limit) return stop('limit');
    if (count > 0 && budget.spent) return stop('size');
    const text = shortLine(whole, match);
    addRow(line, `${path}:${line}:${text}`);
    count++;
    open.found++;
    open.lastMatch = line;
    open.matches.push({ path, line, text });
    return true;
  };

  return {
    get found() {
      return count;
    },
    take(item) {
      const message = readMessage(item);
      if (!message || !wants(message.path)) return true;
      const path = display(message.path);
      if (message.kind === 'end') {
        close(message.binaryAt === undefined ? undefined : `${path}: binary file matches (lines: ${open.found})`);
        return true;
      }
      for (const line of message.lines) {
        if (!message.isMatch) addAround(path, line);
        else if (!addMatch(path, line)) return false;
      }
      return true;
    },
    takeLong(head) {
      const printed = matchPath(head);
      if (printed === undefined || !wants(printed)) return;
      count++;
      open.found++;
      addRow((open.last ?? 0) + 1, `${display(printed)}: a matching line of more than 16 MB, too long to show`);
      open.lastMatch = open.last ?? 0;
    },
    output(notes) {
      close();
      const isFull = cut === 'size' || limit >= most;
      const how = `narrow the pattern, glob or path${isFull ? '' : `, or raise limit above ${limit}`}`;
      const why = cut === 'size' ? ', as many as fit' : '';
      const ends = [
        ...(cut ? [`[the first ${count} matching lines${why}; there are more: ${how}]`] : []),
        ...(leftOut > 0 ? [`[${leftOut} lines around matches did not fit: ask for fewer]`] : []),
      ];
      return {
        content: [lines.length === 0 ? 'No matches.' : lines.join('\n'), ...ends, ...notes].join('\n'),
        data: { matches, count, files, truncated: cut !== undefined },
      };
    },
  };
}
