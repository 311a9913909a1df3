import type { Database } from 'better-sqlite3';
import type { WriteRows } from '../write-rows.ts';

/** Session writes, gathered for one round of the event loop. */
export interface GroupWrites {
  /** Resolves when the write is on disk; rejects when it alone, or the disk, refuses. */
  add(rows: WriteRows): Promise<void>;
  /** Hands on what was gathered; to be called before anything that must come after it. */
  flush(): void;
}

interface Pending {
  readonly rows: WriteRows;
  error: unknown;
  failed: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes of many sessions that come in one round share one transaction, each in a savepoint of its own: one
 * that is refused takes nothing with it. `apply` writes rows, `run` waits for locks and may run its work again.
 */
export function createGroupWrites(
  database: Database,
  apply: (rows: WriteRows) => void,
  run: (work: () => void) => Promise<void>,
): GroupWrites {
  let gathered: Pending[] = [];
  let scheduled: NodeJS.Immediate | undefined;
  const inOne = database.transaction((group: readonly Pending[]) => {
    for (const pending of group) {
      try {
        apply(pending.rows);
        pending.failed = false;
      } catch (error) {
        if (!database.inTransaction) throw error;
        pending.failed = true;
        pending.error = error;
      }
    }
  });

  const flush = (): void => {
    if (scheduled) clearImmediate(scheduled);
    scheduled = undefined;
    const group = gathered;
    if (group.length === 0) return;
    gathered = [];
    const [only] = group;
    const work = group.length === 1 && only ? () => apply(only.rows) : () => inOne.immediate(group);
    run(work).then(
      () => {
        for (const pending of group) {
          if (pending.failed) pending.reject(pending.error);
          else pending.resolve();
        }
      },
      (error) => {
        for (const pending of group) pending.reject(error);
      },
    );
  };

  return {
    flush,
    add: (rows) =>
      new Promise((resolve, reject) => {
        gathered.push({ rows, error: undefined, failed: false, resolve, reject });
        scheduled ??= setImmediate(flush);
      }),
  };
}
