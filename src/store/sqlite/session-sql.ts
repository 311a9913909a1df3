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
  reserveSeq:
    'UPDATE agent_sessions SET next_seq = next_seq + @count WHERE id = @id RETURNING next_seq - @count AS first',

  lease: `INSERT INTO agent_leases (session_id, owner, expires_at) VALUES (@id, @owner, @until)
    ON CONFLICT (session_id) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
    WHERE agent_leases.owner = excluded.owner OR agent_leases.expires_at <= @now`,
  holdsLease: 'SELECT 1 FROM agent_leases WHERE session_id = @id AND owner = @owner AND expires_at > @now',
  releaseLease: 'DELETE FROM agent_leases WHERE session_id = @id AND owner = @owner',

  messages: 'SELECT seq, raw_json FROM agent_messages WHERE session_id = ? ORDER BY seq',
  /** Events that share a message which is about to be replaced get their own copy. */
  keepMessage: `UPDATE agent_events SET message_seq = NULL, detail = (
      SELECT raw_json FROM agent_messages WHERE session_id = @id AND seq = @position)
    WHERE session_id = @id AND message_seq = @position`,
  addMessage: `INSERT INTO agent_messages (session_id, seq, message_id, raw_json)
    VALUES (@id, @position, @messageId, @json) ON CONFLICT (session_id, seq) DO NOTHING`,
  replaceMessage: `UPDATE agent_messages SET message_id = @messageId, raw_json = @json
    WHERE session_id = @id AND seq = @position`,
  findMessage: 'SELECT seq FROM agent_messages WHERE session_id = @id AND message_id = @messageId AND raw_json = @json',

  calls: `SELECT call_id, run_id, step, name, input, started_at, ended_at, result FROM agent_tool_calls
    WHERE session_id = @id AND status = COALESCE(@status, status) ORDER BY ordinal`,
  startCall: `INSERT INTO agent_tool_calls (session_id, call_id, run_id, step, name, input, status, started_at)
    VALUES (@id, @callId, @runId, @step, @name, @input, 'started', @startedAt)`,
  keepResult: `UPDATE agent_events SET call_id = NULL, run_id = NULL, detail = (
      SELECT result FROM agent_tool_calls WHERE session_id = @id AND call_id = @callId AND run_id = @runId)
    WHERE session_id = @id AND call_id = @callId AND run_id = @runId`,
  endCall: `INSERT INTO agent_tool_calls
      (session_id, call_id, run_id, step, name, input, status, started_at, ended_at, result)
    VALUES (@id, @callId, @runId, @step, @name, @input, 'ended', @startedAt, @endedAt, @result)
    ON CONFLICT (session_id, call_id, run_id) DO NOTHING`,
  endStartedCall: `UPDATE agent_tool_calls SET status = 'ended', ended_at = @endedAt, result = @result
    WHERE session_id = @id AND call_id = @callId AND run_id = @runId`,
  findResult: `SELECT run_id FROM agent_tool_calls
    WHERE session_id = @id AND call_id = @callId AND result = @json ORDER BY ordinal DESC`,

  events: `SELECT e.seq, e.ts, e.type, e.body, COALESCE(e.detail, m.raw_json, c.result) AS detail
    FROM agent_events e
    LEFT JOIN agent_messages m ON m.session_id = e.session_id AND m.seq = e.message_seq
    LEFT JOIN agent_tool_calls c ON c.session_id = e.session_id AND c.call_id = e.call_id AND c.run_id = e.run_id
    WHERE e.session_id = @id AND e.seq > @after ORDER BY e.seq LIMIT @limit`,
  addEvent: `INSERT INTO agent_events (session_id, seq, ts, type, body, detail, message_seq, call_id, run_id)
    VALUES (@id, @seq, @ts, @type, @body, @detail, @messageSeq, @callId, @runId)`,
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
