import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';

const repo = join(import.meta.dirname, '../..');

verifies('docs/readme', 'the library example is short, runs as it stands and prints what the page says', async () => {
  const page = await readFile(join(repo, 'README.md'), 'utf8');
  const code = /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  expect(code.trim().split('\n').length).toBeLessThan(20);
  const home = await mkdtemp(join(tmpdir(), 'toolwright-readme-'));
  // Inside of the package, so that its own name leads to what was built.
  const file = join(repo, 'dist', `.readme-${process.pid}.mts`);
  try {
    await writeFile(file, code);
    const run = promisify(execFile)(process.execPath, ['--import', 'tsx', file], {
      cwd: repo,
      env: { PATH: process.env['PATH'] ?? '', TOOLWRIGHT_HOME: home },
      timeout: 20_000,
    }).catch((error: unknown) => error as { stdout: string; stderr: string });
    const { stdout, stderr } = await run;
    expect(stderr).toBe('');
    expect(stdout.trim()).toBe('42');
  } finally {
    await rm(file, { force: true });
    await rm(home, { recursive: true, force: true });
  }
});
