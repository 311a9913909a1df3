import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { contractRoots, sandboxFilesContract } from '../../testing/contracts/sandbox-contract.ts';
import { openRemoteWorld } from '../../testing/remote-world.ts';

sandboxFilesContract(
  'remote',
  async () => {
    const world = await openRemoteWorld();
    const readOnly = join(world.base, 'library');
    await mkdir(readOnly);
    return { ...world, readOnly };
  },
  test,
);
