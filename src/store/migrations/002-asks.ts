import type { Migration } from './migration.ts';

/** Questions to the person. `ask` and `resolution` are JSON; a row without a resolution is open. */
export const asks: Migration = {
  version: 2,
  sql: `
CREATE TABLE agent_asks (
  ordinal INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL REFERENCES agent_sessions (id) ON DELETE CASCADE,
  created_at REAL NOT NULL,
  expires_at REAL NOT NULL,
  ask TEXT NOT NULL,
  resolution TEXT,
  kind TEXT GENERATED ALWAYS AS (ask ->> 'kind') VIRTUAL,
  tool_call_id TEXT GENERATED ALWAYS AS (ask ->> 'callId') VIRTUAL,
  tool TEXT GENERATED ALWAYS AS (ask ->> 'tool') VIRTUAL,
  hash TEXT GENERATED ALWAYS AS (ask ->> 'hash') VIRTUAL,
  outcome TEXT GENERATED ALWAYS AS (resolution ->> 'outcome') VIRTUAL
) STRICT;
CREATE INDEX agent_asks_session ON agent_asks (session_id);
CREATE INDEX agent_asks_open ON agent_asks (expires_at) WHERE resolution IS NULL;
`,
};
