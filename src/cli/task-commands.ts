import type { Command } from 'commander';
import { addRuntimeOptions } from './flags.ts';
import type { MakeCommand, Runs } from './skill-commands.ts';

/** `tasks list | show | stop`. */
export function addTaskCommands(program: Command, command: MakeCommand, runs: Runs): void {
  const tasks = program.command('tasks').description('background tasks: commands that go on after their call');
  const list = command(tasks, 'list', 'those of all sessions, oldest first');
  addRuntimeOptions(list).option('--session <id>', 'of that session only');
  list.action(runs(async () => (await import('./commands/tasks-list.ts')).tasksList));
  const show = command(tasks, 'show <id>', 'one task: its command, its state, the end of what it printed');
  addRuntimeOptions(show).action(runs(async () => (await import('./commands/tasks-show.ts')).tasksShow));
  const stop = command(tasks, 'stop <id>', 'end a task with all that it started, whichever process runs it');
  addRuntimeOptions(stop).action(runs(async () => (await import('./commands/tasks-stop.ts')).tasksStop));
}
