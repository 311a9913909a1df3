import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore, openSqliteStore } from '../../src/store/index.ts';
import { storeContract } from '../../src/testing/contracts/store-contract.ts';
import { verifies } from '../verifies.ts';

const register = (title: string, body: () => Promise<void>) => verifies('store/contract', title, body);

storeContract('memory', async (clock) => ({ store: createMemoryStore({ clock }), cleanup: async () => {} }), register);

storeContract(
  'sqlite',
  async (clock) => {
    const folder = await mkdtemp(join(tmpdir(), 'toolwright-store-'));
    const reopen = () => openSqliteStore({ path: join(folder, 'data', 'store.db'), clock });
    return { store: await reopen(), reopen, cleanup: () => rm(folder, { recursive: true }) };
  },
  register,
);
