import {
  type BackgroundTask,
  type EventBody,
  type NewId,
  type TaskPower,
  ToolwrightError,
  type UserMessage,
} from '../core/index.ts';

const MOST_RUNNING = 32;
/** Ended ones whose results can still be asked for. */
const MOST_ENDED = 64;

/** The background tasks of one session. */
export interface BackgroundTasks extends TaskPower {
  /** What has ended and was not told yet, once: an event for screens and a message for the model of each. */
  announce(): { readonly event: EventBody; readonly message: UserMessage }[];
  /** Ends all of them. */
  close(): Promise<void>;
}

export function createBackgroundTasks(newId: NewId): BackgroundTasks {
  const tasks = new Map<string, BackgroundTask>();
  /** Ended and not told, in the order of their ends. */
  const untold = new Set<BackgroundTask>();
  const told = new Set<BackgroundTask>();
  let closed = false;

  const forgetOldest = () => {
    const ended = [...tasks.values()].filter((task) => task.status !== 'running' && !untold.has(task));
    for (const task of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) {
      tasks.delete(task.id);
      told.delete(task);
    }
  };
  const running = () => [...tasks.values()].filter((task) => task.status === 'running');

  return {
    newId: () =>
      `shtask_${newId()
        .replace(/[^0-9a-f]/g, '')
        .slice(-12)
        .padStart(12, '0')}`,
    adopt(task) {
      if (closed || running().length >= MOST_RUNNING) return false;
      tasks.set(task.id, task);
      void task.ended.then(() => {
        if (!told.has(task) && !closed) untold.add(task);
        forgetOldest();
      });
      return true;
    },
    get(id) {
      const task = tasks.get(id);
      if (task) return task;
      const known = [...tasks.keys()].slice(-5);
      throw new ToolwrightError(
        'invalid_input',
        `task_id: this session has no background task ${JSON.stringify(id)}.`,
        {
          hint: known.length === 0 ? 'Start one with run_bash and background: true.' : `It has ${known.join(', ')}.`,
        },
      );
    },
    told(id) {
      const task = tasks.get(id);
      if (!task) return;
      told.add(task);
      untold.delete(task);
    },
    announce() {
      const ended = [...untold];
      untold.clear();
      return ended.map((task) => {
        told.add(task);
        const text = task.announcement();
        const facts = { taskId: task.id, status: task.status };
        return {
          event: { type: 'notification', ...facts, text },
          message: {
            id: newId(),
            role: 'user',
            content: `<system-reminder>\n${text}\n</system-reminder>`,
            metadata: { notification: task.id },
          },
        };
      });
    },
    async close() {
      closed = true;
      untold.clear();
      await Promise.allSettled(running().map((task) => task.kill()));
    },
  };
}
