import {
  type BackgroundTask,
  cutEnd,
  cutStart,
  type TaskPower,
  type ToolContext,
  ToolwrightError,
} from '../../core/index.ts';
import type { Job } from './start-job.ts';

const TOLD_BYTES = 512;
/** Of a command that is kept. */
const COMMAND_CHARS = 4_000;

/** A command that goes on in the background. */
export interface ShellTask extends BackgroundTask {
  readonly kind: 'shell';
  readonly job: Job;
}

export function createShellTask(id: string, job: Job): ShellTask {
  return {
    id,
    kind: 'shell',
    job,
    get status() {
      return job.status === 'cancelled' ? 'killed' : job.status;
    },
    ended: job.ended,
    announcement(mask) {
      const data = job.output(id).data as { exit_code: number | null; signal: string | null };
      const how = data.signal === null ? `exit code ${data.exit_code}` : `signal ${data.signal}`;
      const tail = mask(job.recent).trimEnd();
      return [
        `The background command ${id} has ended: ${job.status}, ${how}, after ${(job.durationMs / 1_000).toFixed(1)} s.`,
        `Command: ${oneLine(mask(job.command))}`,
        tail === '' ? 'It printed nothing.' : `The end of its output:\n${lastBytes(tail)}`,
        `await_shell {"task_id": "${id}"} gives the whole result.`,
      ].join('\n');
    },
    facts(mask) {
      const data = job.output(id).data as { exit_code: number | null; signal: string | null };
      return {
        command: cutEnd(mask(job.command), COMMAND_CHARS),
        cwd: mask(job.cwd),
        processId: job.processId,
        exitCode: data.exit_code,
        signal: data.signal,
        output: job.place ?? null,
        tail: lastBytes(mask(job.recent).trimEnd()),
      };
    },
    kill: () => job.stop({ status: 'killed' }),
  };
}

/** The session's shell task of that id; every other id is the same error. */
export function findShellTask(ctx: ToolContext, id: string): { task: ShellTask; tasks: TaskPower } {
  if (!ctx.tasks) throw new ToolwrightError('unavailable', 'There are no background commands here.');
  const task = ctx.tasks.get(id);
  if (task.kind === 'shell') return { task: task as ShellTask, tasks: ctx.tasks };
  throw new ToolwrightError('invalid_input', `task_id: ${JSON.stringify(id)} is no command of this session.`);
}

/** What a call says of a command that goes on. */
export function stillRunning(task: ShellTask, why: string): string {
  return [
    `[${why}; it goes on in the background as ${task.id}]`,
    `Next: await_shell {"task_id": "${task.id}"} when you need its result, kill_shell {"task_id": "${task.id}"} to end it, or go on: you are told when it ends. Do not start it again.`,
  ].join('\n');
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

function lastBytes(text: string): string {
  let tail = cutStart(text, TOLD_BYTES);
  while (Buffer.byteLength(tail) > TOLD_BYTES)
    tail = cutStart(tail, tail.length - Math.ceil((Buffer.byteLength(tail) - TOLD_BYTES) / 3));
  return tail;
}
