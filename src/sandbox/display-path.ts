import { relative } from 'node:path';
import { isWithin } from './within.ts';

/** Relative to the first of the folders that it lies in, else as it is. */
export function displayPath(folders: readonly (string | undefined)[], path: string): string {
  const base = folders.find((folder) => folder !== undefined && isWithin(folder, path));
  return base === undefined ? path : relative(base, path) || '.';
}
