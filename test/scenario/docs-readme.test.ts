import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';

const repo = join(import.meta.dirname, '../..');

const fencesOf = (page: string): string[] => [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');

/** Runs TypeScript as it stands, inside of the package, so that its own name leads to what was built. */
async function runCode(code: string): Promise<{ stdout: string; stderr: string }> {
  const home = await mkdtemp(join(tmpdir(), 'toolwright-docs-'));
  const file = join(repo, 'dist', `.page-${process.pid}.mts`);
  try {
    await writeFile(file, code);
    return await promisify(execFile)(process.execPath, ['--import', 'tsx', file], {
      cwd: repo,
      env: { PATH: process.env['PATH'] ?? '', TOOLWRIGHT_HOME: home },
      timeout: 20_000,
    });
  } finally {
    await rm(file, { force: true });
    await rm(home, { recursive: true, force: true });
  }
}

verifies('docs/readme', 'the library example is short, runs as it stands and prints what the page says', async () => {
  const [code = ''] = fencesOf(await readFile(join(repo, 'README.md'), 'utf8'));
  expect(code.trim().split('\n').length).toBeLessThan(20);
  const { stdout, stderr } = await runCode(code);
  expect(stderr).toBe('');
  expect(stdout.trim()).toBe('42');
});

verifies('docs/readme', 'what the pages show in TypeScript runs', async () => {
  const pages = (await readdir(join(repo, 'docs'))).filter((name) => name.endsWith('.md'));
  for (const page of pages) {
    for (const code of fencesOf(await readFile(join(repo, 'docs', page), 'utf8'))) {
      expect([page, (await runCode(code)).stderr]).toEqual([page, '']);
    }
  }
});

verifies('docs/readme', 'every link of a page leads to something', async () => {
  const pages = [
    'README.md',
    'SECURITY.md',
    ...(await readdir(join(repo, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
  ];
  for (const page of pages) {
    const text = await readFile(join(repo, page), 'utf8');
    for (const [, link = ''] of text.matchAll(/\]\(([^)#:]+)\)/g)) {
      const target = join(repo, page, '..', link);
      const found = await readdir(target).catch(() => readFile(target).catch(() => undefined));
      expect([page, link, found !== undefined]).toEqual([page, link, true]);
    }
  }
});
