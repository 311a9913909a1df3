import type { ToolOutput } from '../../core/index.ts';
import { shortLine } from './line-text.ts';
import { readMessage } from './read-message.ts';

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

export function createContentSearch(
  limit: number,
  wants: (printed: string) => boolean,
  display: (printed: string) => string,
): ContentSearch {
  const lines: string[] = [];
  const matches: Match[] = [];
  const files = new Set<string>();
  let chars = 0;
  let last: { readonly path: string; readonly line: number } | undefined;
  let full = false;
  let hasContext = false;

  const add = (path: string, line: number, text: string, isMatch: boolean) => {
    const rows = text
      .split('\n')
      .map((row, index) => `${path}${isMatch ? ':' : '-'}${line + index}${isMatch ? ':' : '-'}${row}`);
    const isGap = last !== undefined && (last.path !== path || last.line < line - 1);
    if (isGap && hasContext) lines.push('--');
    lines.push(...rows);
    chars += rows.reduce((sum, row) => sum + row.length + 1, 0);
    last = { path, line: line + rows.length - 1 };
  };
  return {
    take(item) {
      const message = readMessage(item);
      if (!message || !wants(message.path)) return true;
      const path = display(message.path);
      if (message.kind === 'end') {
        if (message.binaryAt !== undefined) lines.push(`${path}: binary file, searched up to byte ${message.binaryAt}`);
        return true;
      }
      const isMatch = message.match !== undefined;
      if (!isMatch) hasContext = true;
      if (isMatch && (matches.length >= limit || chars >= MOST_CHARS)) {
        full = true;
        return false;
      }
      const text = shortLine(message.text, message.match);
      add(path, message.line, text, isMatch);
      if (isMatch) {
        files.add(path);
        matches.push({ path, line: message.line, text });
      }
      return true;
    },
    output(endedEarly, notes) {
      const truncated = full || endedEarly;
      const cut = truncated
        ? [
            `[the first ${matches.length} matching lines; there are more: narrow the pattern, glob or path, or raise limit above ${limit}]`,
          ]
        : [];
      const content = matches.length === 0 && lines.length === 0 ? 'No matches.' : lines.join('\n');
      return {
        content: [content, ...cut, ...notes].join('\n'),
        data: { matches, count: matches.length, files: files.size, truncated },
      };
    },
  };
}
