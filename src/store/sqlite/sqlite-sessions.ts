import type { Database } from 'better-sqlite3';
import type { Clock, Message } from '../../core/index.ts';
import { fromColumn, toColumn } from '../exact-text.ts';
import type { SessionRecord, SessionStatus, SessionStore } from '../ports/sessions.ts';
import { noSession, sessionExists } from '../session-errors.ts';
import { checkCount, toCallRecord, toEvent, toJson, toRows } from '../write-rows.ts';
import type { Access } from './access.ts';
import { prepareSessionSql } from './session-sql.ts';
import { writeSession } from './write-session.ts';

type Row = Record<string, unknown>;

export function createSqliteSessions(database: Database, access: Access, clock: Clock): SessionStore {
  const sql = prepareSessionSql(database);
  const { read, write } = access;

  return {
    async create(session) {
      const values = {
        id: toColumn(session.id),
        createdAt: session.createdAt,
        updatedAt: session.updatedAt,
        agentName: toColumn(session.agentName),
        model: toColumn(session.model),
        status: session.status,
        summary: toColumn(session.summary),
        usage: toJson(session.usage, 'usage'),
        metadata: toJson(session.metadata, 'metadata'),
      };
      if ((await write(() => sql.create.run(values))) === 0) throw sessionExists(session.id);
    },
    async get(id) {
      const row = await read(() => sql.get.get(toColumn(id)));
      return row && toRecord(row);
    },
    async list({ limit = Number.MAX_SAFE_INTEGER, before = Number.MAX_VALUE } = {}) {
      return (await read(() => sql.list.all({ limit, before }))).map(toRecord);
    },
    async remove(id) {
      await write(() => sql.remove.run(toColumn(id)));
    },
    async messages(id) {
      const rows = await read(() => sql.messages.all(toColumn(id)));
      return rows.map((row) => ({
        position: Number(row['seq']),
        message: JSON.parse(String(row['raw_json'])) as Message,
      }));
    },
    async events(id, { after = -1, limit = Number.MAX_SAFE_INTEGER } = {}) {
      const rows: Row[] = await read(() => sql.events.all({ id: toColumn(id), after, limit }));
      return rows.map((row) =>
        toEvent(id, {
          seq: Number(row['seq']),
          ts: Number(row['ts']),
          type: String(row['type']),
          body: String(row['body']),
          detail: row['detail'] as string | null,
        }),
      );
    },
    async calls(id, { status } = {}) {
      const rows: Row[] = await read(() => sql.calls.all({ id: toColumn(id), status: status ?? null }));
      return rows.map((row) =>
        toCallRecord(id, {
          callId: fromColumn(String(row['call_id'])),
          runId: fromColumn(String(row['run_id'])),
          step: Number(row['step']),
          name: fromColumn(String(row['name'])),
          input: row['input'] as string | null,
          startedAt: Number(row['started_at']),
          endedAt: row['ended_at'] as number | null,
          result: row['result'] as string | null,
        }),
      );
    },
    async write(request) {
      const rows = toRows(request);
      await write(() => writeSession(sql, rows, clock.now()));
    },
    async reserveSeq(id, count) {
      checkCount(count);
      const row = await write(() => sql.reserveSeq.get({ id: toColumn(id), count }));
      if (!row) throw noSession(id);
      return Number(row['first']);
    },
    async lease(id, owner, until, now) {
      const values = { id: toColumn(id), owner: toColumn(owner), until, now };
      return write(() => {
        if (!sql.exists.get(values.id)) throw noSession(id);
        return sql.lease.run(values) > 0;
      });
    },
    async releaseLease(id, owner) {
      await write(() => sql.releaseLease.run({ id: toColumn(id), owner: toColumn(owner) }));
    },
  };
}

function toRecord(row: Row): SessionRecord {
  return {
    id: fromColumn(String(row['id'])),
    createdAt: Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
    agentName: fromColumn(String(row['agent_name'])),
    model: fromColumn(String(row['model'])),
    status: row['status'] as SessionStatus,
    summary: fromColumn(String(row['summary'])),
    usage: JSON.parse(String(row['usage'])),
    metadata: JSON.parse(String(row['metadata'])),
  };
}
