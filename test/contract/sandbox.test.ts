import { test, vi } from 'vitest';
import { sandboxFilesContract, sandboxProcessesContract } from '../../src/testing/contracts/sandbox-contract.ts';
import { openLocalWorld, openPassthroughWorld, whyNoLocal } from '../local-world.ts';

// No sandbox may pass it on.
vi.stubEnv('RANDOM_NEW_SECRET', 'host-secret-value');

sandboxProcessesContract('passthrough', openPassthroughWorld, test);

if (whyNoLocal === undefined) {
  sandboxFilesContract('local', openLocalWorld, test);
  sandboxProcessesContract('local', openLocalWorld, test);
}
