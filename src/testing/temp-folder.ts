import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a test in a folder of its own, which is gone afterwards. */
export async function inTempFolder<Value>(body: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-test-')));
  try {
    return await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
