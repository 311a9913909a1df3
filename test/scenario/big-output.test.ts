import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';

verifies(
  'runtime/big-output',
  '50 MB of one tool: a small stub, the whole of it on disk, little memory, nothing in the database',
  async () => {
    const child = join(import.meta.dirname, '../fixtures/big-output-child.ts');
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '--import', 'tsx', child], {
      timeout: 60_000,
    });
    const found = JSON.parse(stdout) as {
      bytes: number;
      stub: number;
      growth: number;
      equal: boolean;
      database: number;
    };
    expect(found.equal).toBe(true);
    expect(found.stub).toBeGreaterThan(0);
    expect(found.stub).toBeLessThan(4_096);
    expect(found.growth).toBeLessThan(3 * found.bytes);
    expect(found.database).toBeLessThan(1_048_576);
  },
  60_000,
);
