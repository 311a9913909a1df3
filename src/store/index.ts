export { makeFolder } from './make-folder.ts';
export { createMemoryStore } from './memory/create-memory-store.ts';
export { createFileOutputs, type FileOutputsOptions } from './outputs/create-file-outputs.ts';
export { safeFileName } from './outputs/safe-file-name.ts';
export type {
  AnsweredAsk,
  AnswerOutcome,
  AskRecord,
  AskResolution,
  AskStore,
  HouseStore,
} from './ports/asks.ts';
export type { AuditRow, AuditStore, AuditVerdict, KeptAuditRow } from './ports/audit.ts';
export type {
  CallRecord,
  CallStatus,
  SessionRecord,
  SessionStatus,
  SessionStore,
  SessionWrite,
  Store,
  StoredMessage,
} from './ports/sessions.ts';
export type { TaskEnd, TaskOwner, TaskRecord, TaskStore } from './ports/tasks.ts';
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/open-sqlite-store.ts';
