import { MOST_ENDED_TASKS, type TaskRecord, type TaskStore } from '../ports/tasks.ts';
import { noSession } from '../session-errors.ts';
import { createWatchers } from '../watchers.ts';
import { toJson } from '../write-rows.ts';

/** Tasks as the JSON text that a database would hold. `hasSession` also throws when the store is closed. */
export function createMemoryTasks(hasSession: (id: string) => boolean): TaskStore {
  const rows = new Map<string, string>();
  const watchers = createWatchers();
  const read = (id: string): TaskRecord | undefined => {
    const text = rows.get(id);
    const record = text === undefined ? undefined : (JSON.parse(text) as TaskRecord);
    return record && hasSession(record.sessionId) ? record : undefined;
  };
  const all = () => [...rows.keys()].flatMap((id) => read(id) ?? []);
  const change = (id: string, patch: Partial<TaskRecord>): boolean => {
    const record = read(id);
    if (record === undefined || record.status !== 'running') return false;
    rows.set(id, toJson({ ...record, ...patch }, 'task'));
    watchers.tell();
    return true;
  };
  return {
    async put(task) {
      if (!hasSession(task.sessionId)) throw noSession(task.sessionId);
      const ended = all().filter(({ sessionId, status }) => sessionId === task.sessionId && status !== 'running');
      for (const { id } of ended.slice(0, -MOST_ENDED_TASKS)) rows.delete(id);
      rows.set(task.id, toJson(task, 'task'));
      watchers.tell();
    },
    get: async (id) => read(id),
    async list({ sessionId, status } = {}) {
      return all().filter(
        (task) =>
          (sessionId === undefined || task.sessionId === sessionId) && (status === undefined || task.status === status),
      );
    },
    end: async (id, end) => change(id, end),
    requestStop: async (id) => change(id, { stopRequested: true }),
    async tell(id) {
      const record = read(id);
      if (record) rows.set(id, toJson({ ...record, told: true }, 'task'));
    },
    watch: watchers.add,
  };
}
