import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ENV_VARIABLES } from '../../src/runtime/index.ts';
import { verifies } from '../verifies.ts';

const repo = join(import.meta.dirname, '../..');

verifies('docs/env', '.env.example lists exactly the variables that the code reads, with their defaults', async () => {
  const text = await readFile(join(repo, '.env.example'), 'utf8');
  const listed = [...text.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
  expect(listed).toEqual(ENV_VARIABLES.map((variable) => [variable.name, variable.default]));
});

verifies(
  'docs/env',
  "the environment is read in two places only: the settings, and the terminal's colours",
  async () => {
    const entries = await readdir(join(repo, 'src'), { recursive: true });
    const readers: string[] = [];
    for (const name of entries.filter((entry) => entry.endsWith('.ts') && !entry.endsWith('.test.ts'))) {
      const text = await readFile(join(repo, 'src', name), 'utf8');
      if (/process\.env|\benv \} = process/.test(text)) readers.push(name);
    }
    expect(readers.sort()).toEqual(['cli/io.ts', 'runtime/env.ts']);
  },
);
