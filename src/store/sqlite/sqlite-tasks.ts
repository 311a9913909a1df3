import type { Database } from 'better-sqlite3';
import { toColumn } from '../exact-text.ts';
import { MOST_ENDED_TASKS, type TaskRecord, type TaskStore } from '../ports/tasks.ts';
import { noSession } from '../session-errors.ts';
import { toJson } from '../write-rows.ts';
import type { Access } from './access.ts';
import type { ChangeWatch } from './watch-changes.ts';

const SQL = {
  hasSession: 'SELECT 1 FROM agent_sessions WHERE id = ?',
  put: `INSERT INTO background_tasks (id, session_id, status, stop_requested, told, task)
    VALUES (@id, @sessionId, @status, @stopRequested, @told, @task)`,
  get: 'SELECT task, status, stop_requested, told FROM background_tasks WHERE id = ?',
  list: 'SELECT task, status, stop_requested, told FROM background_tasks ORDER BY ordinal',
  listOfSession: `SELECT task, status, stop_requested, told FROM background_tasks
    WHERE session_id = ? ORDER BY ordinal`,
  end: `UPDATE background_tasks SET status = @status, task = @task WHERE id = @id AND status = 'running'`,
  requestStop: `UPDATE background_tasks SET stop_requested = 1 WHERE id = ? AND status = 'running'`,
  tell: 'UPDATE background_tasks SET told = 1 WHERE id = ?',
  forget: `DELETE FROM background_tasks WHERE ordinal IN (
    SELECT ordinal FROM background_tasks WHERE session_id = ? AND status <> 'running'
    ORDER BY ordinal DESC LIMIT -1 OFFSET ${MOST_ENDED_TASKS})`,
} as const;

interface Row {
  readonly task: string;
  readonly status: TaskRecord['status'];
  readonly stop_requested: number;
  readonly told: number;
}

export function createSqliteTasks(database: Database, access: Access, changes: ChangeWatch): TaskStore {
  const hasSession = database.prepare(SQL.hasSession);
  const put = database.prepare(SQL.put);
  const get = database.prepare<[string], Row>(SQL.get);
  const list = database.prepare<[], Row>(SQL.list);
  const listOfSession = database.prepare<[string], Row>(SQL.listOfSession);
  const end = database.prepare(SQL.end);
  const requestStop = database.prepare(SQL.requestStop);
  const tell = database.prepare(SQL.tell);
  const forget = database.prepare(SQL.forget);

  const read = (id: string): TaskRecord | undefined => {
    const row = get.get(toColumn(id));
    return row && toRecord(row);
  };
  const changed = async (work: () => number): Promise<boolean> => {
    const moved = (await access.write(work)) > 0;
    if (moved) changes.tell();
    return moved;
  };
  return {
    async put(task) {
      const values = {
        id: toColumn(task.id),
        sessionId: toColumn(task.sessionId),
        status: task.status,
        stopRequested: Number(task.stopRequested),
        told: Number(task.told),
        task: toJson(task, 'task'),
      };
      await changed(() => {
        if (!hasSession.get(values.sessionId)) throw noSession(task.sessionId);
        forget.run(values.sessionId);
        return put.run(values).changes;
      });
    },
    get: (id) => access.read(() => read(id)),
    async list({ sessionId, status } = {}) {
      const rows = await access.read(() =>
        sessionId === undefined ? list.all() : listOfSession.all(toColumn(sessionId)),
      );
      return rows.filter((row) => status === undefined || row.status === status).map(toRecord);
    },
    end: (id, facts) =>
      changed(() => {
        const record = read(id);
        if (record === undefined) return 0;
        return end.run({ id: toColumn(id), status: facts.status, task: toJson({ ...record, ...facts }, 'task') })
          .changes;
      }),
    requestStop: (id) => changed(() => requestStop.run(toColumn(id)).changes),
    tell: async (id) => void (await access.write(() => tell.run(toColumn(id)))),
    watch: changes.watch,
  };
}

function toRecord({ task, status, stop_requested, told }: Row): TaskRecord {
  return { ...(JSON.parse(task) as TaskRecord), status, stopRequested: stop_requested === 1, told: told === 1 };
}
