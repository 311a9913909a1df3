import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';

const child = join(import.meta.dirname, '../fixtures/big-output-child.ts');

for (const kind of ['plain', 'wide']) {
  verifies(
    'runtime/big-output',
    `50 MB of one tool, ${kind} characters: a small stub, the whole of it on disk, little memory, no copy elsewhere`,
    async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '--import', 'tsx', child, kind], {
        timeout: 60_000,
      });
      const found = JSON.parse(stdout) as {
        bytes: number;
        stub: number;
        growth: number;
        equal: boolean;
        events: number;
        database: number;
      };
      expect(found.bytes).toBeGreaterThanOrEqual(50 * 1_048_576);
      expect(found.equal).toBe(true);
      expect(found.stub).toBeGreaterThan(0);
      expect(found.stub).toBeLessThan(4_096);
      expect(found.growth).toBeLessThan(3 * found.bytes);
      expect(found.events).toBeLessThan(64 * 1_024);
      expect(found.database).toBeGreaterThan(0);
      expect(found.database).toBeLessThan(1_048_576);
    },
    60_000,
  );
}
