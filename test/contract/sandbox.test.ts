import { test } from 'vitest';
import { sandboxFilesContract, sandboxProcessesContract } from '../../src/testing/contracts/sandbox-contract.ts';
import { openLocalWorld, openPassthroughWorld, whyNoLocal } from '../local-world.ts';

sandboxProcessesContract('passthrough', openPassthroughWorld, test);

if (whyNoLocal === undefined) {
  sandboxFilesContract('local', openLocalWorld, test);
  sandboxProcessesContract('local', openLocalWorld, test);
}
