import type { RowBudget } from './row-budget.ts';

export interface ListedFile {
  readonly path: string;
  readonly count?: number;
}

/** Files in the order they are found: all are counted, some are kept, and of those as many shown as fit. */
export interface FileList {
  add(printed: string, count?: number): void;
  readonly files: readonly ListedFile[];
  readonly total: number;
  readonly truncated: boolean;
  /** The shown files, each a row. */
  readonly rows: readonly string[];
  /** Says that the list was cut and how to go on; empty when it was not. */
  cutNote(): string[];
}

export interface FileListOptions {
  /** Files kept. */
  readonly limit: number;
  /** The highest limit that may be asked for. */
  readonly most: number;
  readonly budget: RowBudget;
  readonly display: (printed: string) => string;
}

export function createFileList({ limit, most, budget, display }: FileListOptions): FileList {
  const files: ListedFile[] = [];
  const rows: string[] = [];
  let total = 0;
  return {
    files,
    rows,
    get total() {
      return total;
    },
    get truncated() {
      return rows.length < total;
    },
    add(printed, count) {
      total++;
      if (files.length >= limit) return;
      const path = display(printed);
      files.push(count === undefined ? { path } : { path, count });
      if (budget.spent) return;
      const row = count === undefined ? path : `${path}: ${count}`;
      budget.charge(row);
      rows.push(row);
    },
    cutNote() {
      if (rows.length >= total) return [];
      const isFull = rows.length < files.length || limit >= most;
      const more = isFull ? 'no more fit, so narrow the pattern or path' : `narrow the pattern or path, or raise limit`;
      return [`[${rows.length} of ${total} files; ${more}${isFull ? '' : ` above ${limit}`}]`];
    },
  };
}
