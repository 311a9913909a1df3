import type { TaskRecord } from '../../runtime/index.ts';
import { harmless } from './style.ts';

const MOST_CHARS = 100;

/** A background task in one line for people: its id, its state, how long it ran or runs, its command. */
export function taskLine(task: TaskRecord, now: number): string {
  const seconds = ((task.endedAt ?? now) - task.startedAt) / 1_000;
  const command = harmless(task.command.replace(/\s+/g, ' '));
  const cut = command.length > MOST_CHARS ? `${command.slice(0, MOST_CHARS - 1)}…` : command;
  return `${task.id}  ${howOf(task).padEnd(14)} ${seconds.toFixed(1).padStart(8)} s  ${cut}\n`;
}

function howOf({ status, exitCode, signal }: TaskRecord): string {
  if (status === 'running' || status === 'lost') return status;
  return `${status} ${signal ?? exitCode ?? ''}`.trimEnd();
}
