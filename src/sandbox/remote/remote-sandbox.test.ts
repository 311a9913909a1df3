import { test } from 'vitest';
import { openRemoteWorld } from '../../../test/remote-world.ts';
import { sandboxFilesContract } from '../../testing/contracts/sandbox-contract.ts';

sandboxFilesContract(
  'remote',
  async () => {
    const world = await openRemoteWorld();
    const { sandbox } = await world.connect();
    return { ...world, sandbox };
  },
  test,
);
