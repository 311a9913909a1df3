import type { Database } from 'better-sqlite3';

const SQL = {
  create: `INSERT INTO agent_sessions (id, created_at, updated_at, agent_name, model, status, summary, usage, metadata)
    VALUES (@id, @createdAt, @updatedAt, @agentName, @model, @status, @summary, @usage, @metadata)
    ON CONFLICT (id) DO NOTHING`,
  get: `SELECT id, created_at, updated_at, agent_name, model, status, summary, usage, metadata
    FROM agent_sessions WHERE id = ?`,
  list: `SELECT id, created_at, updated_at, agent_name, model, status, summary, usage, metadata
    FROM agent_sessions WHERE created_at < @before ORDER BY created_at DESC, ordinal DESC LIMIT @limit`,
  remove: 'DELETE FROM agent_sessions WHERE id = ?',
  update: `UPDATE agent_sessions SET updated_at = COALESCE(@updatedAt, updated_at),
    agent_name = COALESCE(@agentName, agent_name), model = COALESCE(@model, model),
    status = COALESCE(@status, status), summary = COALESCE(@summary, summary),
    usage = COALESCE(@usage, usage), metadata = COALESCE(@metadata, metadata) WHERE id = @id`,
  exists: 'SELECT 1 FROM agent_sessions WHERE id = ?',
  /** A session's number in the other tables, and whether that owner holds its lease. */
  find: `SELECT s.ordinal AS session, l.owner = @owner AND l.expires_at > @now AS held
    FROM agent_sessions s LEFT JOIN agent_leases l ON l.session_id = s.id WHERE s.id = @id`,
  reserveSeq:
    'UPDATE agent_sessions SET next_seq = next_seq + @count WHERE id = @id RETURNING next_seq - @count AS first',

  lease: `INSERT INTO agent_leases (session_id, owner, expires_at) VALUES (@id, @owner, @until)
    ON CONFLICT (session_id) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
    WHERE agent_leases.owner = excluded.owner OR agent_leases.expires_at <= @now`,
  releaseLease: 'DELETE FROM agent_leases WHERE session_id = @id AND owner = @owner',

  messages: `SELECT m.seq, m.raw_json FROM agent_sessions s JOIN kept_messages m ON m.session = s.ordinal
    WHERE s.id = ? ORDER BY m.seq`,
  addMessage: `INSERT INTO kept_messages (session, seq, message_id, raw_json, told)
    VALUES (@session, @position, @messageId, @json, @told) ON CONFLICT (session, seq) DO NOTHING`,
  isTold: 'SELECT 1 FROM kept_messages WHERE session = @session AND seq = @position AND told',
  /** Events that share a message which is about to be replaced get their own copy. */
  keepMessage: `UPDATE kept_events SET message_seq = NULL, detail = (
      SELECT raw_json FROM kept_messages WHERE session = @session AND seq = @position)
    WHERE session = @session AND message_seq = @position`,
  replaceMessage: `UPDATE kept_messages SET message_id = @messageId, raw_json = @json, told = @told
    WHERE session = @session AND seq = @position`,
  /** Only among the last ones: an event follows its message closely, and one that does not has its own copy. */
  findMessage: `SELECT seq FROM kept_messages
    WHERE session = @session AND seq > (SELECT max(seq) FROM kept_messages WHERE session = @session) - 64
      AND message_id = @messageId AND raw_json = @json ORDER BY seq DESC LIMIT 1`,
  tellMessage: 'UPDATE kept_messages SET told = 1 WHERE session = @session AND seq = @position',

  calls: `SELECT call_id, run_id, step, name, input, started_at, ended_at, result
    FROM agent_sessions s JOIN kept_calls c ON c.session = s.ordinal
    WHERE s.id = @id AND c.status = COALESCE(@status, c.status) ORDER BY c.ordinal`,
  startCall: `INSERT INTO kept_calls (session, call_id, run_id, step, name, input, status, started_at)
    VALUES (@session, @callId, @runId, @step, @name, @input, 'started', @startedAt)`,
  hasResult: `SELECT 1 FROM kept_calls
    WHERE session = @session AND call_id = @callId AND run_id = @runId AND result IS NOT NULL`,
  keepResult: `UPDATE kept_events SET call_id = NULL, run_id = NULL, detail = (
      SELECT result FROM kept_calls WHERE session = @session AND call_id = @callId AND run_id = @runId)
    WHERE session = @session AND call_id = @callId AND run_id = @runId`,
  endCall: `INSERT INTO kept_calls
      (session, call_id, run_id, step, name, input, status, started_at, ended_at, result)
    VALUES (@session, @callId, @runId, @step, @name, @input, 'ended', @startedAt, @endedAt, @result)
    ON CONFLICT (session, call_id, run_id) DO NOTHING`,
  endStartedCall: `UPDATE kept_calls SET status = 'ended', ended_at = @endedAt, result = @result
    WHERE session = @session AND call_id = @callId AND run_id = @runId`,
  findResult: `SELECT run_id FROM kept_calls
    WHERE session = @session AND call_id = @callId AND result = @json ORDER BY ordinal DESC`,

  events: `SELECT e.seq, e.ts, e.type, e.body, COALESCE(e.detail, m.raw_json, c.result) AS detail
    FROM agent_sessions s JOIN kept_events e ON e.session = s.ordinal
    LEFT JOIN kept_messages m ON m.session = e.session AND m.seq = e.message_seq
    LEFT JOIN kept_calls c ON c.session = e.session AND c.call_id = e.call_id AND c.run_id = e.run_id
    WHERE s.id = @id AND e.seq > @after ORDER BY e.seq LIMIT @limit`,
  addEvent: `INSERT INTO kept_events (session, seq, ts, type, body, detail, message_seq, call_id, run_id)
    VALUES (@session, @seq, @ts, @type, @body, @detail, @messageSeq, @callId, @runId)`,
} as const;

type Name = keyof typeof SQL;
type Value = string | number | null;

export interface Statement {
  run(values: Record<string, Value> | string): number;
  get(values: Record<string, Value> | string): Record<string, Value> | undefined;
  all(values: Record<string, Value> | string): Record<string, Value>[];
}

/** All of the sessions' SQL, prepared. `run` gives the number of changed rows. */
export function prepareSessionSql(database: Database): Record<Name, Statement> {
  const prepare = (sql: string): Statement => {
    const prepared = database.prepare<unknown[], Record<string, Value>>(sql);
    return {
      run: (values) => prepared.run(values).changes,
      get: (values) => prepared.get(values),
      all: (values) => prepared.all(values),
    };
  };
  const entries = Object.entries(SQL).map(([name, sql]) => [name, prepare(sql)]);
  return Object.fromEntries(entries) as Record<Name, Statement>;
}
