import type { ToolOutput } from '../../core/index.ts';

/** Gathers paths; where counts were asked for, each path is followed by its count. */
export interface FileSearch {
  take(item: string): boolean;
  output(notes: readonly string[]): ToolOutput;
}

/** All files are counted; those over the limit are not listed. */
export function createFileSearch(
  counts: boolean,
  limit: number,
  wants: (printed: string) => boolean,
  display: (printed: string) => string,
): FileSearch {
  const listed: { path: string; count?: number }[] = [];
  let files = 0;
  let lines = 0;
  let counted: string | undefined;
  return {
    take(item) {
      if (counts && counted === undefined) {
        counted = item;
        return true;
      }
      const printed = counted ?? item;
      counted = undefined;
      if (!wants(printed)) return true;
      files++;
      const count = Number(item);
      if (counts) lines += count;
      if (listed.length < limit) listed.push({ path: display(printed), ...(counts ? { count } : {}) });
      return true;
    },
    output(notes) {
      const truncated = files > listed.length;
      const rows = listed.map(({ path, count }) => (counts ? `${path}: ${count}` : path));
      const total = counts ? [`[${lines} matching lines in ${files} files]`] : [];
      const cut = truncated
        ? [`[${listed.length} of ${files} files; narrow the search, or raise limit above ${limit}]`]
        : [];
      return {
        content: [...(files === 0 ? ['No matches.'] : [...rows, ...total, ...cut]), ...notes].join('\n'),
        data: {
          files: listed.map(({ path }) => path),
          ...(counts ? { counts: listed, matching_lines: lines } : {}),
          count: files,
          truncated,
        },
      };
    },
  };
}
