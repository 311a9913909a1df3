import { dirname, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { type Clock, systemClock } from '../../core/index.ts';
import { createAuditHeadFile } from '../audit-head.ts';
import type { HouseStore } from '../ports/asks.ts';
import { storeClosed } from '../session-errors.ts';
import type { Access } from './access.ts';
import { createGroupWrites } from './group-writes.ts';
import { createLockQueue, type LockQueue } from './lock-queue.ts';
import { openDatabase } from './open-database.ts';
import { createSqliteAsks } from './sqlite-asks.ts';
import { createSqliteAudit } from './sqlite-audit.ts';
import { createSqliteSessions } from './sqlite-sessions.ts';
import { createSqliteTasks } from './sqlite-tasks.ts';
import { toStoreError } from './store-error.ts';
import { createChangeWatch } from './watch-changes.ts';

export interface SqliteStoreOptions {
  readonly path: string;
  /** `full` also survives a power cut with the last write; `normal` a killed process. Default normal. */
  readonly synchronous?: 'normal' | 'full';
  /** How long a statement waits for another process's lock before it is `busy`. Default 10,000. */
  readonly busyTimeoutMs?: number;
  /** Judges whether a lease has run out when a write names its owner. */
  readonly clock?: Clock;
}

/**
 * Opens the database, making it and its folder when there is none. One that cannot be used is left
 * as it is: ToolwrightError, `data.reason` tells why.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<HouseStore> {
  const path = resolve(options.path);
  const clock = options.clock ?? systemClock;
  const locks = createLockQueue(clock, options.busyTimeoutMs ?? 10_000);
  const database = await openDatabase(path, options.synchronous ?? 'normal', locks);
  return createSqliteStore(database, path, clock, locks);
}

/** The store on an open connection, which it owns from then on. */
export function createSqliteStore(database: Database, path: string, clock: Clock, locks: LockQueue): HouseStore {
  let closing: Promise<void> | undefined;
  const guarded = async <T>(run: LockQueue['read'], work: () => T): Promise<T> => {
    if (closing) throw storeClosed();
    try {
      return await run(() => {
        if (!database.open) throw storeClosed();
        return work();
      });
    } catch (error) {
      throw toStoreError(error, path);
    }
  };
  const locked: Access['locked'] = (work) => guarded(locks.write, work);
  const { add, flush } = createGroupWrites(database, locked, (error) => toStoreError(error, path));
  const access: Access = { read: (work) => guarded(locks.read, work), write: add, locked };
  const changes = createChangeWatch(database, path, clock);
  const close = async () => {
    await locks.idle();
    try {
      database.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      // What is not copied into the file now stays in its log, and is read from there at the next open.
    }
    database.close();
  };
  return {
    kind: 'sqlite',
    sessions: createSqliteSessions(database, access, clock),
    audit: createSqliteAudit(database, access, createAuditHeadFile(dirname(path))),
    asks: createSqliteAsks(database, access, changes),
    tasks: createSqliteTasks(database, access, changes),
    close: () => {
      changes.stop();
      flush();
      closing ??= close();
      return closing;
    },
  };
}
