import type { Migration } from './migration.ts';

/**
 * Messages, events and the journal by the session's number, so that what many sessions write in one transaction
 * lies in few pages. Each table has one index. People and other programs read the views.
 *
 * `kept_messages.told`: an event refers to the message, and must get its own copy before the message is replaced.
 */
export const sessionKeys: Migration = {
  version: 5,
  sql: `
CREATE TABLE kept_messages (
  session INTEGER NOT NULL REFERENCES agent_sessions (ordinal) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  raw_json TEXT NOT NULL,
  told INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO kept_messages (session, seq, message_id, raw_json, told)
  SELECT s.ordinal, m.seq, m.message_id, m.raw_json, EXISTS (
      SELECT 1 FROM agent_events e WHERE e.session_id = m.session_id AND e.message_seq = m.seq)
  FROM agent_messages m JOIN agent_sessions s ON s.id = m.session_id ORDER BY s.ordinal, m.seq;

CREATE TABLE kept_events (
  session INTEGER NOT NULL REFERENCES agent_sessions (ordinal) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  ts REAL NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  detail TEXT,
  message_seq INTEGER,
  call_id TEXT,
  run_id TEXT
) STRICT;
INSERT INTO kept_events (session, seq, ts, type, body, detail, message_seq, call_id, run_id)
  SELECT s.ordinal, e.seq, e.ts, e.type, e.body, e.detail, e.message_seq, e.call_id, e.run_id
  FROM agent_events e JOIN agent_sessions s ON s.id = e.session_id ORDER BY s.ordinal, e.seq;

CREATE TABLE kept_calls (
  ordinal INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES agent_sessions (ordinal) ON DELETE CASCADE,
  call_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  step INTEGER NOT NULL,
  name TEXT NOT NULL,
  input TEXT,
  status TEXT NOT NULL,
  started_at REAL NOT NULL,
  ended_at REAL,
  result TEXT
) STRICT;
INSERT INTO kept_calls
    (ordinal, session, call_id, run_id, step, name, input, status, started_at, ended_at, result)
  SELECT c.ordinal, s.ordinal, c.call_id, c.run_id, c.step, c.name, c.input, c.status, c.started_at, c.ended_at, c.result
  FROM agent_tool_calls c JOIN agent_sessions s ON s.id = c.session_id ORDER BY c.ordinal;

DROP TABLE agent_messages;
DROP TABLE agent_events;
DROP TABLE agent_tool_calls;
CREATE UNIQUE INDEX kept_messages_place ON kept_messages (session, seq);
CREATE UNIQUE INDEX kept_events_place ON kept_events (session, seq);
CREATE UNIQUE INDEX kept_calls_id ON kept_calls (session, call_id, run_id);

CREATE VIEW agent_messages AS
  SELECT s.id AS session_id, m.seq, m.message_id, m.raw_json, m.raw_json ->> 'role' AS role,
    m.raw_json ->> 'agentName' AS agent_name, m.raw_json ->> 'content' AS content,
    m.raw_json ->> 'toolCallId' AS tool_call_id, m.raw_json ->> 'metadata' AS metadata
  FROM kept_messages m JOIN agent_sessions s ON s.ordinal = m.session;
CREATE VIEW agent_events AS
  SELECT s.id AS session_id, e.seq, e.ts, e.type, e.body, e.detail, e.message_seq, e.call_id, e.run_id
  FROM kept_events e JOIN agent_sessions s ON s.ordinal = e.session;
CREATE VIEW agent_tool_calls AS
  SELECT c.ordinal, s.id AS session_id, c.call_id, c.run_id, c.step, c.name, c.input, c.status,
    c.started_at, c.ended_at, c.result
  FROM kept_calls c JOIN agent_sessions s ON s.ordinal = c.session;
`,
};
