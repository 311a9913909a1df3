import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';

const folder = join(import.meta.dirname, '../../examples');
const names = (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort();

verifies('docs/examples', 'there are at least eight, numbered', () => {
  expect(names.length).toBeGreaterThanOrEqual(8);
  expect(names.map((name) => name.slice(0, 2))).toEqual(names.map((_, index) => String(index + 1).padStart(2, '0')));
});

for (const name of names) {
  verifies('docs/examples', name, async () => {
    expect(await readFile(join(folder, name), 'utf8')).toContain("from 'node:assert/strict'");
    const home = await mkdtemp(join(tmpdir(), 'toolwright-example-'));
    try {
      const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', join(folder, name)], {
        cwd: join(folder, '..'),
        env: { PATH: process.env['PATH'] ?? '', TOOLWRIGHT_HOME: home },
        timeout: 20_000,
      });
      expect(stdout).not.toBe('');
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
}
