import type { ToolOutput } from '../../core/index.ts';
import { createFileList, type FileListOptions } from '../search/file-list.ts';

/** Gathers paths; where counts were asked for, each path is followed by its count. */
export interface FileSearch {
  take(item: string): boolean;
  readonly found: number;
  output(notes: readonly string[]): ToolOutput;
}

export function createFileSearch(
  counts: boolean,
  wants: (printed: string) => boolean,
  options: FileListOptions,
): FileSearch {
  const list = createFileList(options);
  let lines = 0;
  let counted: string | undefined;
  return {
    get found() {
      return list.total;
    },
    take(item) {
      if (counts && counted === undefined) {
        counted = item;
        return true;
      }
      const printed = counted ?? item;
      counted = undefined;
      if (!wants(printed)) return true;
      if (counts) lines += Number(item);
      list.add(printed, counts ? Number(item) : undefined);
      return true;
    },
    output(notes) {
      const { files, rows, total, truncated } = list;
      const sum = counts && total > 0 ? [`[matching lines: ${lines}, in files: ${total}]`] : [];
      const found = total === 0 ? ['No matches.'] : rows;
      return {
        content: [...found, ...sum, ...list.cutNote(), ...notes].join('\n'),
        data: {
          files: files.map(({ path }) => path),
          ...(counts ? { counts: files, matching_lines: lines } : {}),
          count: total,
          truncated,
        },
      };
    },
  };
}
