import { Cron } from 'croner';
import { messageOf, ToolwrightError } from '../../core/index.ts';
import type { ScheduledTask, TaskRun } from './schedule-folder.ts';

/** When a task is due next, milliseconds since the epoch; undefined when it has had its last run. */
export function nextDue(task: ScheduledTask & { readonly lastRun?: TaskRun }): number | undefined {
  const { cron, timeZone, at, createdAt, lastRun } = task;
  if (cron === undefined) return lastRun === undefined ? at : undefined;
  return dueAfter(cron, timeZone, lastRun?.due ?? createdAt);
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
