import {
  type BackgroundTask,
  type EventBody,
  type Message,
  type NewId,
  type TaskPower,
  ToolwrightError,
  type UserMessage,
} from '../core/index.ts';
import type { TaskRecord } from '../store/index.ts';
import type { TaskKeeper } from './task-keeper.ts';

const MOST_RUNNING = 32;
/** Ended ones whose results can still be asked for. */
const MOST_ENDED = 64;

/** That a task has ended: an event for screens and a message for the model. */
export interface TaskNews {
  readonly event: EventBody;
  readonly message: UserMessage;
}

export interface BackgroundTasksOptions {
  readonly newId: NewId;
  /** Masks what a task printed. */
  readonly mask: (text: string) => string;
  readonly keeper?: TaskKeeper;
  /** The messages so far: what stands in them has been told. */
  readonly messages?: () => readonly Message[];
}

/** The background tasks of one session. */
export interface BackgroundTasks extends TaskPower {
  /** Hands over what has ended and was not told yet, each once, that of earlier processes first. */
  announce(tell: (news: readonly TaskNews[]) => Promise<void>): Promise<void>;
  /** Ends all of them. */
  close(): Promise<void>;
}

export function createBackgroundTasks(options: BackgroundTasksOptions): BackgroundTasks {
  const { newId, mask, keeper, messages = () => [] } = options;
  const tasks = new Map<string, BackgroundTask>();
  /** Ended and not told, in the order of their ends. */
  const untold = new Set<BackgroundTask>();
  const told = new Set<BackgroundTask>();
  let closed = false;
  let inherited: Promise<readonly TaskRecord[]> | undefined;

  const forgetOldest = () => {
    const ended = [...tasks.values()].filter((task) => task.status !== 'running' && !untold.has(task));
    for (const task of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) {
      tasks.delete(task.id);
      told.delete(task);
    }
  };
  /** Asked once; what earlier processes left is told with the first news. */
  const inherit = async (): Promise<readonly TaskRecord[]> => {
    if (keeper === undefined || inherited !== undefined) return [];
    inherited = keeper.inherited();
    const found = await inherited;
    const known = new Set(messages().map((message) => message.metadata?.['notification']));
    return found.filter(({ id }) => {
      if (known.has(id)) keeper.told(id);
      return !known.has(id);
    });
  };
  const newsOf = (id: string, status: string, text: string): TaskNews => ({
    event: { type: 'notification', taskId: id, status, text },
    message: {
      id: newId(),
      role: 'user',
      content: `<system-reminder>\n${text}\n</system-reminder>`,
      metadata: { notification: id },
    },
  });
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
      keeper?.began(task);
      void task.ended.then(() => {
        keeper?.ended(task);
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
      keeper?.told(id);
    },
    async announce(tell) {
      const left = await inherit();
      const ended = [...untold];
      untold.clear();
      for (const task of ended) told.add(task);
      const news = [
        ...left.map((task) => newsOf(task.id, task.status, inheritedText(task))),
        ...ended.map((task) => newsOf(task.id, task.status, task.announcement(mask))),
      ];
      await tell(news);
      for (const { id } of [...left, ...ended]) keeper?.told(id);
    },
    async close() {
      closed = true;
      untold.clear();
      await Promise.allSettled(running().map((task) => task.kill().then(() => task.ended)));
      await keeper?.close();
    },
  };
}

/** What the model is told of a task that an earlier process left. */
function inheritedText({ id, status, command, exitCode, signal, output, tail }: TaskRecord): string {
  const how =
    status === 'lost'
      ? 'was lost: the process that ran it has ended. Look at what it has done before you run it again.'
      : `has ended: ${status}, ${signal === null ? `exit code ${exitCode}` : `signal ${signal}`}.`;
  return [
    `The background command ${id}, started before this session was taken up again, ${how}`,
    `Command: ${command.length > 200 ? `${command.slice(0, 199)}…` : command}`,
    ...(tail === '' ? [] : [`The end of its output:\n${tail}`]),
    ...(output === null ? [] : [`All of it: read_file ${output}`]),
  ].join('\n');
}
