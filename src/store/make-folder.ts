import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder with those above it, only its owner's (0700). Made one by one: node's own recursive way never
 * returns below a folder such as /proc, where what cannot be made is told as missing. Throws what the system says.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let folder = path; ; folder = dirname(folder)) {
    if (statSync(folder, { throwIfNoEntry: false })) break;
    missing.push(folder);
    if (dirname(folder) === folder) break;
  }
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  if (!statSync(path).isDirectory()) throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR' });
}
