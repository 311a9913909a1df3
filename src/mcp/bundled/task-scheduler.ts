import { randomBytes } from 'node:crypto';
import { type Clock, type Log, ToolwrightError } from '../../core/index.ts';
import { defineMcpServer, defineMcpTool, type McpServerDefinition } from '../in-process/define-mcp-server.ts';
import { dueAfter, nextDue } from './next-due.ts';
import { createScheduleFolder, type ScheduledTask, type TaskRun } from './schedule-folder.ts';
import { createTaskClock, type Wake } from './task-clock.ts';

export interface TaskSchedulerOptions {
  /** Where the schedule is kept; processes may share it. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly wake: Wake;
}

interface NewTask {
  readonly prompt: string;
  readonly cron?: string;
  readonly time_zone?: string;
  readonly at?: string;
  readonly in_seconds?: number;
  readonly session_id?: string;
}

const MOST_TASKS = 100;

/** A bundled server that wakes sessions: at one time, or again and again. Tasks run while a process with it is alive. */
export function taskSchedulerServer({ folder: path, clock, log, wake }: TaskSchedulerOptions): McpServerDefinition {
  const folder = createScheduleFolder(path);
  const timekeeper = createTaskClock({ folder, clock, log, wake });
  void timekeeper.refresh();
  return defineMcpServer({
    name: 'task-scheduler',
    close: timekeeper.close,
    tools: [
      defineMcpTool<NewTask>({
        name: 'schedule_task',
        description:
          "Has a prompt run later: once (at, or in_seconds) or by a cron line. Give session_id to go on with a session; without it a new one is begun each time. Gives the task's id and when it is due.",
        inputSchema: {
          type: 'object',
          additionalProperties: false,
          required: ['prompt'],
          properties: {
            prompt: { type: 'string', minLength: 1, maxLength: 20_000, description: 'What the session is told then.' },
            cron: { type: 'string', description: 'Five fields: minute hour day month weekday, such as "0 9 * * 1-5".' },
            time_zone: {
              type: 'string',
              description: "Of the cron line, such as Europe/Berlin. Default: the machine's.",
            },
            at: { type: 'string', description: 'A time with its zone, such as 2030-01-31T09:00:00Z.' },
            in_seconds: { type: 'integer', minimum: 1, maximum: 31_536_000, description: 'So many seconds from now.' },
            session_id: { type: 'string', minLength: 1, maxLength: 128 },
          },
        },
        run: async (input) => {
          const now = clock.now();
          if ((await folder.list()).filter((task) => nextDue(task) !== undefined).length >= MOST_TASKS) {
            throw new ToolwrightError('too_many', `There are ${MOST_TASKS} tasks already: cancel one first.`);
          }
          const task: ScheduledTask = {
            id: randomBytes(6).toString('hex'),
            prompt: input.prompt,
            ...whenOf(input, now),
            ...(input.session_id === undefined ? {} : { sessionId: input.session_id }),
            createdAt: now,
          };
          await folder.add(task);
          await timekeeper.refresh();
          return answer(`Task ${task.id}, due ${timeText(nextDue(task))}.`, { task: shown(task) });
        },
      }),
      defineMcpTool<Record<string, never>>({
        name: 'list_scheduled_tasks',
        description: 'The tasks that are scheduled, when each is due next and how its last run went.',
        inputSchema: { type: 'object', additionalProperties: false, properties: {} },
        annotations: { readOnlyHint: true, openWorldHint: false },
        run: async () => {
          const tasks = (await folder.list()).map(shown);
          const lines = tasks.map(({ id, due, schedule, last, prompt }) =>
            [
              `${id}: ${schedule}, ${due === undefined ? 'no further run' : `next ${due}`}`,
              last,
              `"${prompt.slice(0, 80)}"`,
            ]
              .filter(Boolean)
              .join('; '),
          );
          return answer(lines.length === 0 ? 'Nothing is scheduled.' : lines.join('\n'), { tasks });
        },
      }),
      defineMcpTool<{ readonly id: string }>({
        name: 'cancel_scheduled_task',
        description: 'Takes a task out of the schedule. A run of it that has begun goes on.',
        inputSchema: {
          type: 'object',
          additionalProperties: false,
          required: ['id'],
          properties: { id: { type: 'string' } },
        },
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
        run: async ({ id }) => {
          if (!(await folder.remove(id))) {
            throw new ToolwrightError(
              'not_found',
              `There is no task ${id}. list_scheduled_tasks tells which there are.`,
            );
          }
          await timekeeper.refresh();
          return `Task ${id} is cancelled.`;
        },
      }),
    ],
  });
}

/** One of the three ways to say when. */
function whenOf(
  { cron, time_zone, at, in_seconds }: NewTask,
  now: number,
): Pick<ScheduledTask, 'cron' | 'timeZone' | 'at'> {
  const refuse = (message: string): never => {
    throw new ToolwrightError('invalid_input', message);
  };
  if ([cron, at, in_seconds].filter((way) => way !== undefined).length !== 1) {
    refuse('Give one of cron, at and in_seconds.');
  }
  if (cron !== undefined) {
    if (dueAfter(cron, time_zone, now) === undefined) refuse(`"${cron}" names no time to come.`);
    return { cron, ...(time_zone === undefined ? {} : { timeZone: time_zone }) };
  }
  if (in_seconds !== undefined) return { at: now + in_seconds * 1_000 };
  const time = Date.parse(at ?? '');
  if (Number.isNaN(time) || !/(Z|[+-]\d\d:?\d\d)$/.test(at ?? '')) {
    refuse(`"${at}" is no time with its zone, such as 2030-01-31T09:00:00Z.`);
  }
  if (time <= now) refuse(`"${at}" has passed.`);
  return { at: time };
}

function shown(task: ScheduledTask & { readonly lastRun?: TaskRun }) {
  const { id, prompt, sessionId, cron, timeZone, lastRun } = task;
  const due = nextDue(task);
  return {
    id,
    prompt,
    schedule: cron === undefined ? 'once' : `${cron}${timeZone ? ` (${timeZone})` : ''}`,
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
    ...(due === undefined ? {} : { due: timeText(due) }),
    ...(lastRun === undefined
      ? {}
      : { last: `last ${timeText(lastRun.due)} ${lastRun.outcome}${lastRun.note ? ` (${lastRun.note})` : ''}` }),
  };
}

const timeText = (time: number | undefined) => (time === undefined ? 'never' : new Date(time).toISOString());

function answer(text: string, structuredContent: Record<string, unknown>) {
  return { content: [{ type: 'text' as const, text }], structuredContent };
}
