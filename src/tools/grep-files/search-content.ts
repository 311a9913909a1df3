import type { ToolOutput } from '../../core/index.ts';
import { shortLine } from './line-text.ts';
import { matchPath, type RipgrepMessage, readMessage } from './read-message.ts';

const MOST_CHARS = 30_000;

/** Gathers matching lines until there are enough. */
export interface ContentSearch {
  take(item: string): boolean;
  /** The beginning of what was too long to take. */
  takeLong(head: string): void;
  output(endedEarly: boolean, notes: readonly string[]): ToolOutput;
}

interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** What was found in the file that is being read; whether it is binary is known at its end. */
interface OpenFile {
  readonly lines: string[];
  readonly matches: Match[];
  found: number;
  last: number | undefined;
}

const newFile = (): OpenFile => ({ lines: [], matches: [], found: 0, last: undefined });

type LineMessage = Extract<RipgrepMessage, { kind: 'line' }>;

export function createContentSearch(
  limit: number,
  wants: (printed: string) => boolean,
  display: (printed: string) => string,
): ContentSearch {
  const lines: string[] = [];
  const matches: Match[] = [];
  let files = 0;
  let chars = 0;
  let count = 0;
  let open = newFile();
  let hasContext = false;

  const close = (note?: string) => {
    if (open.found > 0) files++;
    if (hasContext && lines.length > 0 && open.lines.length > 0) lines.push('--');
    if (note === undefined) {
      lines.push(...open.lines);
      matches.push(...open.matches);
    } else if (open.found > 0) lines.push(note);
    open = newFile();
  };

  const add = (path: string, { line, text: whole, match }: LineMessage) => {
    const text = shortLine(whole, match);
    const sign = match ? ':' : '-';
    const rows = text.split(/\r?\n/).map((row, index) => `${path}${sign}${line + index}${sign}${row}`);
    hasContext ||= match === undefined;
    if (hasContext && open.last !== undefined && open.last < line - 1) open.lines.push('--');
    open.lines.push(...rows);
    open.last = line + rows.length - 1;
    chars += rows.reduce((sum, row) => sum + row.length + 1, 0);
    if (!match) return;
    count++;
    open.found++;
    open.matches.push({ path, line, text });
  };

  return {
    take(item) {
      const message = readMessage(item);
      if (!message || !wants(message.path)) return true;
      const path = display(message.path);
      if (message.kind === 'end') {
        close(message.binaryAt === undefined ? undefined : `${path}: binary file, ${open.found} matching lines`);
        return true;
      }
      if (message.match && (count >= limit || chars >= MOST_CHARS)) return false;
      add(path, message);
      return true;
    },
    takeLong(head) {
      const printed = matchPath(head);
      if (printed === undefined || !wants(printed)) return;
      count++;
      open.found++;
      open.lines.push(`${display(printed)}: a matching line of more than 16 MB, too long to show`);
    },
    output(endedEarly, notes) {
      close();
      const cut = endedEarly
        ? [
            `[the first ${count} matching lines; there are more: narrow the pattern, glob or path, or raise limit above ${limit}]`,
          ]
        : [];
      return {
        content: [lines.length === 0 ? 'No matches.' : lines.join('\n'), ...cut, ...notes].join('\n'),
        data: { matches, count, files, truncated: endedEarly },
      };
    },
  };
}
