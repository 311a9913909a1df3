import { closeSync, openSync, statSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database, Options } from 'better-sqlite3';
import { isToolwrightError } from '../../core/index.ts';
import { makeFolder } from '../make-folder.ts';
import { migrations, SCHEMA_VERSION } from '../migrations/migrations.ts';
import type { LockQueue } from './lock-queue.ts';
import { sqliteCode, storeError, toStoreError } from './store-error.ts';

/** Marks a database as ours in its header. */
const APPLICATION_ID = 0x746f6f6c;

/** SQLite's own wait holds the event loop, so it is short; the lock queue waits the rest. */
const SPIN_MS = 10;

/** A connection in WAL mode with the newest schema. A file that is not fit for it is left as it is. */
export async function openDatabase(path: string, synchronous: 'normal' | 'full', locks: LockQueue): Promise<Database> {
  const { default: Driver } = await import('better-sqlite3');
  const connect = (options: Options): Database => {
    try {
      return new Driver(path, { timeout: SPIN_MS, ...options });
    } catch (error) {
      throw sqliteCode(error) ? error : storeError('driver', path, error);
    }
  };
  prepareFile(path);
  await access(path, constants.R_OK | constants.W_OK).catch((error) => {
    throw storeError('read_only', path, error);
  });
  let database: Database | undefined;
  try {
    await locks.read(() => inspect(path, connect({ readonly: true, fileMustExist: true })));
    const opened = connect({ fileMustExist: true });
    database = opened;
    await locks.read(() => opened.pragma('journal_mode = WAL'));
    opened.pragma(`synchronous = ${synchronous === 'full' ? 'FULL' : 'NORMAL'}`);
    opened.pragma('foreign_keys = ON');
    opened.pragma('trusted_schema = OFF');
    // What many sessions change in one transaction stays in memory until it is written once.
    opened.pragma('cache_size = -16384');
    opened.pragma('journal_size_limit = 16777216');
    await locks.read(() => migrate(opened));
    return opened;
  } catch (error) {
    database?.close();
    throw toStoreError(error, path);
  }
}

/**
 * Makes an empty file, only its owner's, where there is none. A file that exists is not opened here:
 * closing it again would drop the locks that another connection of this process holds on it.
 */
function prepareFile(path: string): void {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile()) return;
    if (stat) throw storeError('not_a_file', path);
    makeFolder(dirname(path));
  } catch (error) {
    throw isToolwrightError(error) ? error : storeError('no_folder', path, error);
  }
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw storeError((error as NodeJS.ErrnoException).code === 'ENOSPC' ? 'full' : 'read_only', path, error);
  }
}

/** Reads, through a connection that cannot write, whether the file is one of ours. */
function inspect(path: string, database: Database): void {
  try {
    const version = pragmaNumber(database, 'user_version');
    const isOurs = pragmaNumber(database, 'application_id') === APPLICATION_ID;
    const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
    if (!isOurs && !(isEmpty && version === 0)) throw storeError('other_program', path);
    if (version > SCHEMA_VERSION) throw storeError('newer_version', path);
    if (isCutInPage(path, pragmaNumber(database, 'page_size'))) throw storeError('damaged', path);
  } finally {
    database.close();
  }
}

/** SQLite itself sees missing pages, but not half of one. With a log beside the file the log's pages stand in for it. */
function isCutInPage(path: string, pageSize: number): boolean {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return !log?.size && statSync(path).size % pageSize !== 0;
}

/** Brings the schema up to date in one transaction; of two processes the second finds nothing left to do. */
function migrate(database: Database): void {
  if (pragmaNumber(database, 'user_version') === SCHEMA_VERSION) return;
  database
    .transaction(() => {
      const version = pragmaNumber(database, 'user_version');
      for (const migration of migrations) if (migration.version > version) database.exec(migration.sql);
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.pragma(`user_version = ${Math.max(version, SCHEMA_VERSION)}`);
    })
    .immediate();
}

const pragmaNumber = (database: Database, name: string) => Number(database.pragma(name, { simple: true }));
