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

verifies('docs/env', 'each documented variable is used, and no other one is asked for', async () => {
  const entries = await readdir(join(repo, 'src'), { recursive: true });
  // The environment that commands get is another one.
  const sources = entries.filter((entry) => /(?<!\.test)\.ts$/.test(entry) && !entry.startsWith('sandbox/process/'));
  const texts = await Promise.all(sources.map((name) => readFile(join(repo, 'src', name), 'utf8')));
  const declarations = /export const ENV_VARIABLES = \[[\s\S]*?\] as const/;
  const code = texts.map((text) => text.replace(declarations, '')).join('\n');
  const names = ENV_VARIABLES.map(({ name }) => name);
  const words = new Set(code.match(/\b[A-Z][A-Z0-9_]+\b/g));
  expect(names.filter((name) => !words.has(name))).toEqual([]);
  const asked =
    /\benv(?:\.|\[')([A-Z][A-Z0-9_]+)|\b(?:text|number|flag)\('([A-Z][A-Z0-9_]+)'|Env: '([A-Z][A-Z0-9_]+)'/g;
  const used = [...code.matchAll(asked)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  expect(used.length).toBeGreaterThan(names.length / 2);
  expect(used.filter((name) => !(names as string[]).includes(name))).toEqual([]);
});
