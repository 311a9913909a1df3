import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requirements } from './requirements.ts';

const repo = join(import.meta.dirname, '..');

async function testFiles(folder: string): Promise<string[]> {
  const entries = await readdir(join(repo, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

test('every requirement is cited by a test', async () => {
  const files = [...(await testFiles('src')), ...(await testFiles('test'))];
  const cited = new Set<string>();
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    for (const match of text.matchAll(/verifies\(\s*['"`]([^'"`]+)['"`]/g)) cited.add(match[1] as string);
  }
  const uncited = Object.keys(requirements).filter((id) => !cited.has(id));
  expect(uncited).toEqual([]);
});
