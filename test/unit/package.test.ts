import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const repo = join(import.meta.dirname, '../..');

test('every subpath of the package is built from a source file that exists', async () => {
  const manifest = JSON.parse(await readFile(join(repo, 'package.json'), 'utf8'));
  const missing: string[] = [];
  for (const [subpath, target] of Object.entries<string | { types: string; default: string }>(manifest.exports)) {
    if (typeof target === 'string') continue;
    expect(target.types).toBe(target.default.replace(/\.js$/, '.d.ts'));
    const source = target.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts');
    if (!(await stat(join(repo, source)).catch(() => undefined))) missing.push(`${subpath} -> ${source}`);
  }
  expect(missing).toEqual([]);
});

test('the program says what to do when it is not built', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-bin-'));
  try {
    await mkdir(join(folder, 'bin'));
    const program = join(folder, 'bin/toolwright.mjs');
    await copyFile(join(repo, 'bin/toolwright.js'), program);
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, [program, 'demo'], (error, _stdout, stderr) => resolve({ code: error?.code, stderr }));
    });
    expect(code).toBe(1);
    expect(stderr).toContain('npm run build');
    expect(stderr).not.toContain('    at ');
  } finally {
    await rm(folder, { recursive: true });
  }
});
