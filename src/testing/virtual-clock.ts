import type { Clock, Timer } from '../core/index.ts';

export interface VirtualClock extends Clock {
  /** Moves time on, firing what falls due in order and letting promises settle in between. */
  advance(ms: number): Promise<void>;
  /** Moves to each pending timer in turn until none is left or `done()` says so; gives the time that passed. */
  runUntil(done: () => boolean, limitMs?: number): Promise<number>;
  /** Timers that have not fired. */
  readonly pending: number;
}

interface Entry extends Timer {
  readonly due: number;
  readonly order: number;
  readonly fn: () => void;
}

/** Lets everything that is already resolved run: microtasks, and what they queue. */
async function settle(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Time that only moves when told to, so that a timeout of minutes is tested in a moment. */
export function createVirtualClock(start = 1_700_000_000_000): VirtualClock {
  const timers = new Set<Entry>();
  let now = start;
  let order = 0;

  const next = (limit: number): Entry | undefined => {
    let first: Entry | undefined;
    for (const entry of timers) {
      if (entry.due > limit) continue;
      if (!first || entry.due < first.due || (entry.due === first.due && entry.order < first.order)) first = entry;
    }
    return first;
  };
  const fire = async (entry: Entry) => {
    timers.delete(entry);
    now = Math.max(now, entry.due);
    entry.fn();
    await settle();
  };

  return {
    now: () => now,
    after(ms, fn) {
      const entry: Entry = { due: now + Math.max(0, ms), order: order++, fn };
      timers.add(entry);
      return entry;
    },
    clear: (timer) => void timers.delete(timer as Entry),
    get pending() {
      return timers.size;
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (let entry = next(end); entry; entry = next(end)) await fire(entry);
      now = end;
      await settle();
    },
    async runUntil(done, limitMs = 86_400_000) {
      const began = now;
      await settle();
      while (!done()) {
        const entry = next(began + limitMs);
        if (!entry) break;
        await fire(entry);
      }
      return now - began;
    },
  };
}
