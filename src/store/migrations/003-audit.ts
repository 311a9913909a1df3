import type { Migration } from './migration.ts';

/** The log of decisions and effects. It outlives the sessions that it tells of, so it refers to none. */
export const audit: Migration = {
  version: 3,
  sql: `
CREATE TABLE agent_audit_log (
  seq INTEGER PRIMARY KEY,
  at REAL NOT NULL,
  session_id TEXT NOT NULL,
  agent_name TEXT NOT NULL,
  call_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  event TEXT NOT NULL,
  effect TEXT,
  layer TEXT,
  rule TEXT,
  hook TEXT,
  reason TEXT,
  input TEXT,
  input_hash TEXT,
  facts TEXT,
  duration_ms REAL,
  outcome TEXT,
  hash TEXT NOT NULL
) STRICT;
CREATE INDEX agent_audit_log_session ON agent_audit_log (session_id, seq);
`,
};
