import { type ErrorCode, messageOf, ToolwrightError } from '../../core/index.ts';

/** Why a database could not be opened, read or written; `data.reason` of the error. */
export type StoreFault =
  | 'busy'
  | 'full'
  | 'damaged'
  | 'not_a_database'
  | 'other_program'
  | 'newer_version'
  | 'not_a_file'
  | 'read_only'
  | 'no_folder'
  | 'driver'
  | 'io';

const FAULTS: Record<StoreFault, { code: ErrorCode; says: string; hint: string; retryable?: boolean }> = {
  busy: {
    code: 'busy',
    says: 'is held by another process',
    hint: 'Try again; if it stays so, end the process that keeps a transaction open on it.',
    retryable: true,
  },
  full: {
    code: 'unavailable',
    says: 'cannot grow: the disk is full. Nothing of this write was kept, everything before it was',
    hint: 'Free some space, then go on.',
    retryable: true,
  },
  damaged: {
    code: 'unavailable',
    says: 'is damaged; it was not changed',
    hint: 'Put a backup in its place, save what `sqlite3 FILE .recover` can read, or move it away to begin with an empty one.',
  },
  not_a_database: {
    code: 'unavailable',
    says: 'is not a database; it was not changed',
    hint: 'Move the file away or name another path.',
  },
  other_program: {
    code: 'mismatch',
    says: 'is a database of another program; it was not changed',
    hint: 'Name another path.',
  },
  newer_version: {
    code: 'mismatch',
    says: 'was written by a newer version; it was not changed',
    hint: 'Install the version of toolwright that wrote it, or name another path.',
  },
  not_a_file: { code: 'invalid_request', says: 'is not a file', hint: 'Name a file, not a folder or device.' },
  read_only: {
    code: 'unavailable',
    says: 'cannot be written',
    hint: 'Make the file and its folder writable for this user.',
  },
  no_folder: {
    code: 'unavailable',
    says: 'has no folder that could be reached or made',
    hint: 'Make the folder, or name a path in one that can be written.',
  },
  driver: {
    code: 'unavailable',
    says: 'cannot be opened: the SQLite driver does not load',
    hint: 'Run `npm rebuild better-sqlite3` (it needs python3, make and a C++ compiler).',
  },
  io: {
    code: 'unavailable',
    says: 'could not be read or written',
    hint: 'Check the disk and its mount, then try again.',
    retryable: true,
  },
};

export function storeError(fault: StoreFault, path: string, cause?: unknown): ToolwrightError {
  const { code, says, hint, retryable } = FAULTS[fault];
  const detail = cause === undefined ? '' : ` (${messageOf(cause)})`;
  return new ToolwrightError(code, `The database ${path} ${says}${detail}.`, {
    hint,
    retryable: retryable ?? false,
    data: { reason: fault, path },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** SQLite's own code of an error, undefined for any other error. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return error.code.startsWith('SQLITE_') ? error.code : undefined;
}

const FAULT_OF: readonly (readonly [RegExp, StoreFault])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, 'busy'],
  [/^SQLITE_(FULL|IOERR_SHMSIZE)/, 'full'],
  [/^SQLITE_CORRUPT/, 'damaged'],
  [/^SQLITE_NOTADB/, 'not_a_database'],
  [/^SQLITE_(READONLY|PERM|AUTH)/, 'read_only'],
  [/^SQLITE_CANTOPEN/, 'read_only'],
  [/^SQLITE_(IOERR|PROTOCOL|NOLFS)/, 'io'],
];

/** An error of SQLite as one of ours; any other error as it is. */
export function toStoreError(error: unknown, path: string): unknown {
  const code = sqliteCode(error);
  if (code === undefined) return error;
  const fault = FAULT_OF.find(([pattern]) => pattern.test(code))?.[1];
  if (fault) return storeError(fault, path, error);
  return new ToolwrightError('internal', `The database ${path} refused a statement (${code}: ${messageOf(error)}).`, {
    cause: error,
  });
}
