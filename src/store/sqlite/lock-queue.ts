import type { Clock } from '../../core/index.ts';
import { sqliteCode } from './store-error.ts';

/** Delays between two tries, milliseconds; the last one repeats. */
const DELAYS = [1, 2, 5, 10, 20, 50];

export interface LockQueue {
  /** Runs the work, in the order given; at once when nothing waits. */
  write<T>(work: () => T): Promise<T>;
  /** Runs the work beside the writes. */
  read<T>(work: () => T): Promise<T>;
  /** Resolves when every write so far is through. */
  idle(): Promise<void>;
}

/**
 * Waits for a database that another process has locked without stopping this one: SQLite's own wait
 * would hold the whole event loop. After `timeoutMs` the last SQLITE_BUSY is thrown.
 */
export function createLockQueue(clock: Clock, timeoutMs: number): LockQueue {
  let tail: Promise<void> | undefined;

  const attempt = async <T>(work: () => T): Promise<T> => {
    const end = clock.now() + timeoutMs;
    for (let tries = 0; ; tries++) {
      try {
        return work();
      } catch (error) {
        if (!sqliteCode(error)?.startsWith('SQLITE_BUSY') || clock.now() >= end) throw error;
      }
      const delay = DELAYS[Math.min(tries, DELAYS.length - 1)] as number;
      await new Promise<void>((resolve) => clock.after(delay, resolve));
    }
  };

  return {
    read: attempt,
    write(work) {
      const done = tail ? tail.then(() => attempt(work)) : attempt(work);
      const settled = done.then(
        () => {},
        () => {},
      );
      tail = settled;
      void settled.then(() => {
        if (tail === settled) tail = undefined;
      });
      return done;
    },
    idle: async () => tail,
  };
}
