import type { Database } from 'better-sqlite3';
import { toColumn } from '../exact-text.ts';
import { judgeAnswer } from '../judge-answer.ts';
import type { AskRecord, AskStore } from '../ports/asks.ts';
import { askExists, noSession } from '../session-errors.ts';
import { toJson } from '../write-rows.ts';
import type { Access } from './access.ts';
import type { ChangeWatch } from './watch-changes.ts';

const SQL = {
  hasSession: 'SELECT 1 FROM agent_sessions WHERE id = ?',
  open: `INSERT INTO agent_asks (id, session_id, created_at, expires_at, ask)
    VALUES (@id, @sessionId, @createdAt, @expiresAt, @ask) ON CONFLICT (id) DO NOTHING`,
  get: 'SELECT ask, resolution FROM agent_asks WHERE id = ?',
  list: `SELECT ask, resolution FROM agent_asks
    WHERE (@sessionId IS NULL OR session_id = @sessionId) ORDER BY ordinal`,
  listOpen: `SELECT ask, resolution FROM agent_asks
    WHERE resolution IS NULL AND expires_at > @at AND (@sessionId IS NULL OR session_id = @sessionId) ORDER BY ordinal`,
  end: 'UPDATE agent_asks SET resolution = @resolution WHERE id = @id AND resolution IS NULL',
} as const;

interface Row {
  readonly ask: string;
  readonly resolution: string | null;
}

export function createSqliteAsks(database: Database, access: Access, changes: ChangeWatch): AskStore {
  const hasSession = database.prepare(SQL.hasSession);
  const open = database.prepare(SQL.open);
  const get = database.prepare<[string], Row>(SQL.get);
  const list = database.prepare<[object], Row>(SQL.list);
  const listOpen = database.prepare<[object], Row>(SQL.listOpen);
  const end = database.prepare(SQL.end);

  const read = (id: string): AskRecord | undefined => {
    const row = get.get(toColumn(id));
    return row && toRecord(row);
  };
  const answerOnce = (...[to, resolution]: Parameters<AskStore['answer']>) => {
    const outcome = judgeAnswer(read(to.id), to, resolution.at);
    if (outcome === 'resolved') end.run({ id: toColumn(to.id), resolution: toJson(resolution, 'resolution') });
    return outcome;
  };
  return {
    async open(ask) {
      const values = {
        id: toColumn(ask.id),
        sessionId: toColumn(ask.sessionId),
        createdAt: ask.createdAt,
        expiresAt: ask.expiresAt,
        ask: toJson(ask, 'ask'),
      };
      await access.write(() => {
        if (!hasSession.get(values.sessionId)) throw noSession(ask.sessionId);
        if (open.run(values).changes === 0) throw askExists(ask.id);
      });
      changes.tell();
    },
    get: (id) => access.read(() => read(id)),
    async list({ sessionId, open: onlyOpen = false, at = 0 } = {}) {
      const values = { sessionId: sessionId === undefined ? null : toColumn(sessionId), at };
      return (await access.read(() => (onlyOpen ? listOpen : list).all(values))).map(toRecord);
    },
    async answer(to, resolution) {
      const outcome = await access.write(() => answerOnce(to, resolution));
      if (outcome === 'resolved') changes.tell();
      return outcome;
    },
    async settle(id, resolution) {
      const values = { id: toColumn(id), resolution: toJson(resolution, 'resolution') };
      const moved = (await access.write(() => end.run(values).changes)) > 0;
      if (moved) changes.tell();
      return moved;
    },
    watch: changes.watch,
  };
}

function toRecord({ ask, resolution }: Row): AskRecord {
  const record = JSON.parse(ask) as AskRecord;
  return resolution === null ? record : { ...record, resolution: JSON.parse(resolution) };
}
