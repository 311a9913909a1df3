import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { randomId, systemClock } from '../../core/index.ts';
import { contractRoots, sandboxFilesContract } from '../../testing/contracts/sandbox-contract.ts';
import { createPassthroughSandbox } from './passthrough-sandbox.ts';

for (const holdBy of ['descriptor', 'inode'] as const) {
  if (holdBy === 'descriptor' && process.platform !== 'linux') continue;
  sandboxFilesContract(
    `passthrough by ${holdBy}`,
    async () => {
      const base = await realpath(await mkdtemp(join(tmpdir(), 'tw-sandbox-')));
      const root = join(base, 'root');
      const readOnly = join(base, 'library');
      await mkdir(root);
      await mkdir(readOnly);
      const roots = contractRoots(root, readOnly);
      const sandbox = createPassthroughSandbox({ roots, cwd: root, clock: systemClock, newId: randomId, holdBy });
      return {
        sandbox,
        root,
        readOnly,
        async dispose() {
          await sandbox.dispose();
          await rm(base, { recursive: true });
        },
      };
    },
    test,
  );
}
