import { type Clock, type Log, ToolwrightError } from '../core/index.ts';
import type { TaskRecord, TaskStore } from '../store/index.ts';
import { settleLost } from './settle-lost.ts';
import { isHere } from './task-owner.ts';

/** How long the process that runs a task has to end it: two seconds from TERM to KILL, and to hear of it. */
const STOP_MS = 15_000;

/** Background tasks of all sessions and processes of this home. */
export interface Tasks {
  /** Oldest first. */
  list(filter?: { readonly sessionId?: string }): Promise<readonly TaskRecord[]>;
  get(id: string): Promise<TaskRecord | undefined>;
  /**
   * Ends a task, whichever process runs it, and gives what became of it; one that has ended is given as it is.
   * ToolwrightError `not_found`, or `unavailable` when its process does not end it.
   */
  stop(id: string): Promise<TaskRecord>;
}

export interface TasksOptions {
  readonly store: () => Promise<TaskStore>;
  readonly clock: Clock;
  readonly log: Log;
}

export function createTasks({ store: open, clock, log }: TasksOptions): Tasks {
  const get = async (store: TaskStore, id: string): Promise<TaskRecord | undefined> => {
    const task = await store.get(id);
    return task && (await settleLost(store, [task], clock, log))[0];
  };
  return {
    async list(filter = {}) {
      const store = await open();
      return settleLost(store, await store.list(filter), clock, log);
    },
    get: async (id) => get(await open(), id),
    async stop(id) {
      const store = await open();
      const task = await get(store, id);
      if (task === undefined) {
        throw new ToolwrightError('not_found', `no background task has the id ${JSON.stringify(id)}`, {
          hint: 'See `toolwright tasks list`.',
        });
      }
      if (!(await store.requestStop(id))) return (await store.get(id)) ?? task;
      await ended(store, id, clock);
      // Of a process in another container that does not answer, nobody will ever hear.
      const kept = await store.get(id);
      const [after] = await settleLost(store, kept ? [kept] : [], clock, log, () => !isHere(task.owner));
      if (after !== undefined && after.status !== 'running') return after;
      throw new ToolwrightError(
        'unavailable',
        `the process ${task.owner.pid} of ${task.owner.host} does not end ${id}`,
        {
          hint: 'It will when it comes to it; or end that process.',
          retryable: true,
        },
      );
    },
  };
}

/** Resolves when the task has ended, or after the time. */
function ended(store: TaskStore, id: string, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      leave();
      clock.clear(timer);
      resolve();
    };
    const look = () => void store.get(id).then((task) => task?.status !== 'running' && done(), done);
    const timer = clock.after(STOP_MS, done);
    const leave = store.watch(look);
    look();
  });
}
