import type { Migration } from './migration.ts';

/**
 * Sessions with their messages, events and call journal.
 *
 * agent_messages.raw_json is the message; the columns after it are read from it, for people and other programs.
 * An event's message or result stands in `detail`, or, while it is the same text as a row that is kept anyway,
 * only in that row (message_seq, or call_id and run_id).
 */
export const sessions: Migration = {
  version: 1,
  sql: `
CREATE TABLE agent_sessions (
  ordinal INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL,
  agent_name TEXT NOT NULL,
  model TEXT NOT NULL,
  status TEXT NOT NULL,
  summary TEXT NOT NULL,
  usage TEXT NOT NULL,
  metadata TEXT NOT NULL,
  next_seq INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX agent_sessions_newest ON agent_sessions (created_at, ordinal);

CREATE TABLE agent_leases (
  session_id TEXT PRIMARY KEY NOT NULL REFERENCES agent_sessions (id) ON DELETE CASCADE,
  owner TEXT NOT NULL,
  expires_at REAL NOT NULL
) STRICT;

CREATE TABLE agent_messages (
  session_id TEXT NOT NULL REFERENCES agent_sessions (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  raw_json TEXT NOT NULL,
  role TEXT GENERATED ALWAYS AS (raw_json ->> 'role') VIRTUAL,
  agent_name TEXT GENERATED ALWAYS AS (raw_json ->> 'agentName') VIRTUAL,
  content TEXT GENERATED ALWAYS AS (raw_json ->> 'content') VIRTUAL,
  tool_call_id TEXT GENERATED ALWAYS AS (raw_json ->> 'toolCallId') VIRTUAL,
  metadata TEXT GENERATED ALWAYS AS (raw_json ->> 'metadata') VIRTUAL,
  PRIMARY KEY (session_id, seq)
) STRICT;
CREATE INDEX agent_messages_id ON agent_messages (session_id, message_id);

CREATE TABLE agent_tool_calls (
  ordinal INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES agent_sessions (id) ON DELETE CASCADE,
  call_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  step INTEGER NOT NULL,
  name TEXT NOT NULL,
  input TEXT,
  status TEXT NOT NULL,
  started_at REAL NOT NULL,
  ended_at REAL,
  result TEXT,
  UNIQUE (session_id, call_id, run_id)
) STRICT;

CREATE TABLE agent_events (
  session_id TEXT NOT NULL REFERENCES agent_sessions (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  ts REAL NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  detail TEXT,
  message_seq INTEGER,
  call_id TEXT,
  run_id TEXT,
  PRIMARY KEY (session_id, seq)
) STRICT;
CREATE INDEX agent_events_message ON agent_events (session_id, message_seq) WHERE message_seq IS NOT NULL;
CREATE INDEX agent_events_call ON agent_events (session_id, call_id) WHERE call_id IS NOT NULL;
`,
};
