import { test } from 'vitest';
import { requirements } from './requirements.ts';

/**
 * A test that proves a requirement. The id must stand in `test/requirements.ts`;
 * `detail` tells several tests of one requirement apart.
 */
export function verifies(id: string, detail: string, body: () => unknown, timeoutMs?: number): void {
  const behaviour = requirements[id];
  if (behaviour === undefined) throw new Error(`no requirement ${id} in test/requirements.ts`);
  test(`${id}: ${detail}`, async () => void (await body()), timeoutMs);
}
