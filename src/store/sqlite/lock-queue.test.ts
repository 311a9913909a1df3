import { expect, test } from 'vitest';
import { createVirtualClock } from '../../testing/virtual-clock.ts';
import { createLockQueue } from './lock-queue.ts';

const busy = () => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });

test('work that finds no lock runs at once', () => {
  const locks = createLockQueue(createVirtualClock(), 1_000);
  let ran = 0;
  void locks.write(() => ran++);
  expect(ran).toBe(1);
});

test('writes wait in order, reads and failures do not hold them up', async () => {
  const clock = createVirtualClock();
  const locks = createLockQueue(clock, 1_000);
  const seen: string[] = [];
  let isLocked = true;
  const first = locks.write(() => {
    if (isLocked) throw busy();
    seen.push('first');
  });
  const failing = locks.write(() => {
    throw new Error('broken');
  });
  const refused = expect(failing).rejects.toThrow('broken');
  const second = locks.write(() => seen.push('second'));
  await locks.read(() => seen.push('read'));
  await clock.advance(100);
  expect(seen).toEqual(['read']);
  isLocked = false;
  await clock.advance(100);
  await Promise.all([first, second, refused, locks.idle()]);
  expect(seen).toEqual(['read', 'first', 'second']);
  expect(clock.pending).toBe(0);
});

test('the wait ends with the last SQLITE_BUSY', async () => {
  const clock = createVirtualClock();
  let tries = 0;
  const waiting = createLockQueue(clock, 1_000).write(() => {
    tries++;
    throw busy();
  });
  const ended = expect(waiting).rejects.toThrow('database is locked');
  expect(await clock.runUntil(() => clock.pending === 0)).toBeLessThanOrEqual(1_050);
  await ended;
  expect(tries).toBeLessThan(40);
});
