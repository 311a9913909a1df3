import { test, vi } from 'vitest';
import { openRemoteWorld } from '../../../test/remote-world.ts';
import { sandboxFilesContract, sandboxProcessesContract } from '../../testing/contracts/sandbox-contract.ts';

// The server of these tests lives in this process; it may not pass it on.
vi.stubEnv('RANDOM_NEW_SECRET', 'host-secret-value');

for (const contract of [sandboxFilesContract, sandboxProcessesContract]) {
  contract(
    'remote',
    async () => {
      const world = await openRemoteWorld();
      const { sandbox } = await world.connect();
      return { ...world, sandbox };
    },
    test,
  );
}
