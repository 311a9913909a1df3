import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ToolwrightError } from '../core/index.ts';

/** Files that a pattern names, sorted; `*` stands for any part of a file's name. */
export async function matchFiles(folder: string, pattern: string): Promise<string[]> {
  const path = resolve(folder, pattern);
  const [parent, name] = [dirname(path), basename(path)];
  if (parent.includes('*')) {
    throw new ToolwrightError('invalid_request', `the tools pattern "${pattern}" has a * in a folder's name`, {
      hint: 'Write one pattern for each folder, such as "./tools/*.js".',
    });
  }
  if (!name.includes('*')) return [path];
  const matches = new RegExp(`^${name.split('*').map(escaped).join('.*')}$`);
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => {
    throw new ToolwrightError(
      'invalid_request',
      `the folder ${parent} of the tools pattern "${pattern}" does not exist`,
    );
  });
  return entries
    .filter((entry) => !entry.isDirectory() && matches.test(entry.name))
    .map((entry) => join(parent, entry.name))
    .sort();
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
