import { type Clock, type Log, messageOf, type Timer } from '../../core/index.ts';
import { dueAfter, nextDue } from './next-due.ts';
import type { ScheduledTask, ScheduleFolder, TaskRun } from './schedule-folder.ts';

/** Wakes a session with a prompt; resolves when its run has ended. */
export type Wake = (task: {
  readonly id: string;
  readonly prompt: string;
  readonly sessionId?: string;
}) => Promise<void>;

export interface TaskClock {
  /** Looks again at what is due: after a change, and at the start. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface TaskClockOptions {
  readonly folder: ScheduleFolder;
  readonly clock: Clock;
  readonly log: Log;
  readonly wake: Wake;
}

/** What was due while nobody was there is still run when it is not older than this; older is told as missed. */
const LATE_MS = 60 * 60_000;
/** Another process may add to the folder: it is looked at again after this long at the latest. */
const LOOK_MS = 60_000;

/** One timer for the whole schedule, set to what is due next. */
export function createTaskClock({ folder, clock, log, wake }: TaskClockOptions): TaskClock {
  let timer: Timer | undefined;
  let closed = false;
  const running = new Map<string, Promise<void>>();

  const run = async (task: ScheduledTask & { lastRun?: TaskRun }, due: number): Promise<void> => {
    if (!(await folder.claim(task.id, due))) return;
    if (clock.now() - due > LATE_MS) {
      // Of many missed times the last one stands for all.
      const last = task.cron === undefined ? due : lastBefore(task.cron, task.timeZone, due, clock.now());
      await folder.record(task.id, { due: last, outcome: 'missed', note: 'nothing was running at that time' });
      return;
    }
    await folder.record(task.id, { due, outcome: 'running' });
    try {
      const { id, prompt, sessionId } = task;
      await wake({ id, prompt, ...(sessionId === undefined ? {} : { sessionId }) });
      await folder.record(task.id, { due, outcome: 'ok' });
    } catch (error) {
      log('warn', `the scheduled task ${task.id} failed`, { error: messageOf(error) });
      await folder.record(task.id, { due, outcome: 'failed', note: messageOf(error).slice(0, 500) });
    }
  };

  const look = async (): Promise<void> => {
    if (closed) return;
    const now = clock.now();
    let next = now + LOOK_MS;
    for (const task of await folder.list()) {
      const due = nextDue(task);
      if (due === undefined || running.has(task.id)) continue;
      if (due > now) {
        next = Math.min(next, due);
        continue;
      }
      const work = run(task, due).finally(() => {
        running.delete(task.id);
        void refresh();
      });
      running.set(task.id, work);
    }
    if (closed) return;
    if (timer) clock.clear(timer);
    timer = clock.after(next - clock.now(), () => void refresh());
    timer.unref?.();
  };
  const refresh = async (): Promise<void> => {
    await look().catch((error) => log('warn', 'the schedule could not be read', { error: messageOf(error) }));
  };

  return {
    refresh,
    async close() {
      closed = true;
      if (timer) clock.clear(timer);
      await Promise.allSettled(running.values());
    },
  };
}

/** The last time before `now`; a few steps are enough, since what is asked for is only a mark to go on from. */
function lastBefore(cron: string, timeZone: string | undefined, due: number, now: number): number {
  let last = due;
  const jump = Math.max(due, now - 2 * LATE_MS);
  for (let at = dueAfter(cron, timeZone, jump); at !== undefined && at <= now; at = dueAfter(cron, timeZone, at))
    last = at;
  return last;
}
