import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { ToolwrightError } from '../core/index.ts';
import { createMemoryStore } from '../store/index.ts';
import { createVirtualClock } from '../testing/virtual-clock.ts';
import { createLease } from './lease.ts';

async function world() {
  const clock = createVirtualClock();
  const { sessions } = createMemoryStore();
  await sessions.create({
    id: 's',
    createdAt: 0,
    updatedAt: 0,
    agentName: 'main',
    model: '',
    status: 'idle',
    summary: '',
    usage: {},
    metadata: {},
  });
  const lost: ToolwrightError[] = [];
  const leaseOf = (owner: string) =>
    createLease({ sessionId: 's', owner, store: sessions, clock, onLost: (error) => lost.push(error) });
  return { clock, sessions, lost, leaseOf };
}

verifies('runtime/lease', 'it is renewed for as long as it is held, and leaves no timer', async () => {
  const { clock, lost, leaseOf } = await world();
  const mine = leaseOf('a');
  await mine.hold();
  await mine.hold();
  await clock.advance(60_000);
  await expect(leaseOf('b').hold()).rejects.toMatchObject({ code: 'busy', retryable: true });
  await mine.release();
  await expect(leaseOf('b').hold()).rejects.toMatchObject({ code: 'busy' });
  await mine.release();
  expect(clock.pending).toBe(0);
  await leaseOf('b').hold();
  expect(lost).toEqual([]);
});

verifies('runtime/lease', 'that of a dead process runs out within 20 seconds', async () => {
  const { clock, sessions, leaseOf } = await world();
  await sessions.lease('s', 'dead', clock.now() + 15_000, clock.now());
  await expect(leaseOf('b').hold()).rejects.toMatchObject({ code: 'busy' });
  await clock.advance(20_000);
  await leaseOf('b').hold();
});

verifies('runtime/lease', 'who finds another owner at renewal is told once', async () => {
  const { clock, sessions, lost, leaseOf } = await world();
  await leaseOf('a').hold();
  await sessions.releaseLease('s', 'a');
  await sessions.lease('s', 'thief', clock.now() + 60_000, clock.now());
  await clock.advance(30_000);
  expect(lost.map((error) => error.code)).toEqual(['conflict']);
});
