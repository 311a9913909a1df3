import type { Database } from 'better-sqlite3';
import { sqliteCode } from './store-error.ts';

/** Writes, gathered for one round of the event loop: they share a transaction, and with it the price of one. */
export interface GroupWrites {
  /**
   * Resolves when all of the work is on disk; rejects when it alone, or the disk, refuses: then nothing of it
   * is. Work may be run again, and does nothing but write.
   */
  add<T>(work: () => T): Promise<T>;
  /** Hands on what was gathered; to be called before anything that must come after it. */
  flush(): void;
}

interface Pending {
  run(): void;
  fail(error: unknown): void;
  /** Tells the one who waits how the last `run` or `fail` ended it. */
  settle(): void;
}

/** `locked` waits for other processes' locks and may run its work again; `toError` names what SQLite refuses. */
export function createGroupWrites(
  database: Database,
  locked: (work: () => void) => Promise<void>,
  toError: (error: unknown) => unknown,
): GroupWrites {
  let gathered: Pending[] = [];
  let scheduled: NodeJS.Immediate | undefined;
  const together = database.transaction((group: readonly Pending[]) => {
    for (const pending of group) pending.run();
  });
  const alone = database.transaction((pending: Pending) => pending.run());
  /** Each in a savepoint of its own. */
  const apart = database.transaction((group: readonly Pending[]) => {
    for (const pending of group) {
      try {
        alone(pending);
      } catch (error) {
        if (!database.inTransaction) throw error;
        pending.fail(toError(error));
      }
    }
  });
  const write = (group: readonly Pending[]): void => {
    try {
      together.immediate(group);
    } catch (error) {
      if (group.length === 1 || sqliteCode(error)?.startsWith('SQLITE_BUSY')) throw error;
      // One of them is refused, and takes nothing with it.
      apart.immediate(group);
    }
  };

  const flush = (): void => {
    if (scheduled) clearImmediate(scheduled);
    scheduled = undefined;
    const group = gathered;
    if (group.length === 0) return;
    gathered = [];
    const settleAll = () => {
      for (const pending of group) pending.settle();
    };
    locked(() => write(group)).then(settleAll, (error) => {
      for (const pending of group) pending.fail(error);
      settleAll();
    });
  };

  return {
    flush,
    add: (work) =>
      new Promise((resolve, reject) => {
        let settle = () => {};
        gathered.push({
          run() {
            const value = work();
            settle = () => resolve(value);
          },
          fail(error) {
            settle = () => reject(error);
          },
          settle: () => settle(),
        });
        scheduled ??= setImmediate(flush);
      }),
  };
}
