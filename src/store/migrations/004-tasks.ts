import type { Migration } from './migration.ts';

/** Work that goes on after its call. `task` is JSON; what is asked for and changed apart has its own column. */
export const tasks: Migration = {
  version: 4,
  sql: `
CREATE TABLE background_tasks (
  ordinal INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL REFERENCES agent_sessions (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  stop_requested INTEGER NOT NULL DEFAULT 0,
  told INTEGER NOT NULL DEFAULT 0,
  task TEXT NOT NULL,
  kind TEXT GENERATED ALWAYS AS (task ->> 'kind') VIRTUAL,
  command TEXT GENERATED ALWAYS AS (task ->> 'command') VIRTUAL,
  started_at REAL GENERATED ALWAYS AS (task ->> 'startedAt') VIRTUAL,
  ended_at REAL GENERATED ALWAYS AS (task ->> 'endedAt') VIRTUAL
) STRICT;
CREATE INDEX background_tasks_session ON background_tasks (session_id);
`,
};
