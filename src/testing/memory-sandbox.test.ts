import { test } from 'vitest';
import { contractRoots, sandboxFilesContract } from './contracts/sandbox-contract.ts';
import { createMemorySandbox } from './memory-sandbox.ts';

sandboxFilesContract(
  'memory',
  async () => {
    const sandbox = createMemorySandbox({ roots: contractRoots('/work', '/library') });
    return { sandbox, root: '/work', readOnly: '/library', dispose: () => sandbox.dispose() };
  },
  test,
);
