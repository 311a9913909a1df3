import type { ToolOutput } from '../../core/index.ts';
import { shortLine } from './line-text.ts';
import { type RipgrepMessage, readMessage } from './read-message.ts';

const MOST_CHARS = 30_000;

/** Gathers matching lines until there are enough. */
export interface ContentSearch {
  take(item: string): boolean;
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
  last: number | undefined;
}

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
  let open: OpenFile = { lines: [], matches: [], last: undefined };
  let hasContext = false;

  const close = (note?: string) => {
    if (open.matches.length > 0) files++;
    if (hasContext && lines.length > 0 && open.lines.length > 0) lines.push('--');
    if (note === undefined) {
      lines.push(...open.lines);
      matches.push(...open.matches);
    } else if (open.matches.length > 0) lines.push(note);
    open = { lines: [], matches: [], last: undefined };
  };

  const add = (path: string, { line, text: whole, match }: LineMessage) => {
    const text = shortLine(whole, match);
    const sign = match ? ':' : '-';
    const rows = text.split('\n').map((row, index) => `${path}${sign}${line + index}${sign}${row}`);
    hasContext ||= match === undefined;
    if (hasContext && open.last !== undefined && open.last < line - 1) open.lines.push('--');
    open.lines.push(...rows);
    open.last = line + rows.length - 1;
    chars += rows.reduce((sum, row) => sum + row.length + 1, 0);
    if (!match) return;
    count++;
    open.matches.push({ path, line, text });
  };

  return {
    take(item) {
      const message = readMessage(item);
      if (!message || !wants(message.path)) return true;
      const path = display(message.path);
      if (message.kind === 'end') {
        close(
          message.binaryAt === undefined ? undefined : `${path}: binary file, ${open.matches.length} matching lines`,
        );
        return true;
      }
      if (message.match && (count >= limit || chars >= MOST_CHARS)) return false;
      add(path, message);
      return true;
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
