import { z } from 'zod';
import { defineTool, type ToolOutput, textOf } from '../../core/index.ts';
import { findShellTask } from '../run-bash/shell-task.ts';

/** Ends a background command. */
export const killShell = defineTool({
  name: 'kill_shell',
  description:
    'Ends a background command of run_bash with all that it started (TERM, then KILL after two seconds) and gives the end of its output. A command that has ended already is told as it ended.',
  input: z.strictObject({ task_id: z.string().min(1).describe('As run_bash gave it.') }),
  traits: { concurrencySafe: true },
  claims: () => [],
  permissions: () => [{ effect: 'allow', reason: 'it ends only what this session has started' }],
  async run({ task_id }, ctx): Promise<ToolOutput> {
    const { task, tasks } = findShellTask(ctx, task_id);
    const wasRunning = task.job.status === 'running';
    if (wasRunning) await task.kill();
    tasks.told(task.id);
    const output = task.job.output(task.id);
    const note = wasRunning ? `[${task.id} was ended]` : `[${task.id} had ended already: ${task.job.status}]`;
    const { error: _, ...rest } = output;
    return { ...rest, content: [textOf(output.content), note].filter((part) => part !== '').join('\n') };
  },
});
