import { Cron } from 'croner';
import { isToolwrightError, messageOf, ToolwrightError } from '../../core/index.ts';
import type { ScheduledTask, TaskRun } from './schedule-folder.ts';

/**
 * When a task is due next, milliseconds since the epoch; undefined when it has had its last run, and for a file that
 * was edited by hand and names no schedule any more: it must not stop the others.
 */
export function nextDue(task: ScheduledTask & { readonly lastRun?: TaskRun }): number | undefined {
  const { cron, timeZone, at, createdAt, lastRun } = task;
  if (cron === undefined) return lastRun === undefined ? at : undefined;
  try {
    return dueAfter(cron, timeZone, lastRun?.due ?? createdAt);
  } catch (error) {
    if (isToolwrightError(error)) return undefined;
    throw error;
  }
}

/** The first time after `after` that five cron fields name. Throws ToolwrightError `invalid_input`. */
export function dueAfter(cron: string, timeZone: string | undefined, after: number): number | undefined {
  try {
    const schedule = new Cron(cron, {
      mode: '5-part',
      paused: true,
      ...(timeZone === undefined ? {} : { timezone: timeZone }),
    });
    return schedule.nextRun(new Date(after))?.getTime();
  } catch (error) {
    throw new ToolwrightError(
      'invalid_input',
      `"${cron}" is no schedule${timeZone ? ` in ${timeZone}` : ''}: ${messageOf(error)}`,
      {
        hint: 'Five fields (minute hour day month weekday), such as "0 9 * * 1-5", and a time zone such as Europe/Berlin.',
      },
    );
  }
}
