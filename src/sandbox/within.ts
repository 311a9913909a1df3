import { sep } from 'node:path';

/** Whether an absolute path is `folder` or lies below it, judged by whole segments. */
export function isWithin(folder: string, path: string): boolean {
  if (path === folder) return true;
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
