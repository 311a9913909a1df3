import { ToolwrightError } from '../../core/index.ts';
import { createRuntime, type TaskRecord } from '../../runtime/index.ts';
import { toollessOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { harmless } from '../render/style.ts';
import { taskToJson } from '../render/task-json.ts';
import { taskLine } from '../render/task-line.ts';

/** One background task: its command, its state, the end of what it printed. */
export async function tasksShow(io: Io, flags: RuntimeFlags, id: string): Promise<number> {
  const runtime = await createRuntime(toollessOptions(flags));
  try {
    const task = await runtime.tasks.get(id);
    if (task === undefined) {
      throw new ToolwrightError('not_found', `no background task has the id ${JSON.stringify(id)}`, {
        hint: 'See `toolwright tasks list`.',
      });
    }
    await io.out(flags.json ? `${JSON.stringify(taskToJson(task))}\n` : describe(task));
    return 0;
  } finally {
    await runtime.close();
  }
}

function describe(task: TaskRecord): string {
  const lines = [
    `session  ${task.sessionId}`,
    `folder   ${harmless(task.cwd ?? '')}`,
    `process  ${task.owner.pid} on ${harmless(task.owner.host)}`,
    ...(task.output === null ? [] : [`output   ${harmless(task.output)} of the session`]),
    ...(task.tail === ''
      ? []
      : ['the end of its output:', ...task.tail.split('\n').map((line) => `  ${harmless(line)}`)]),
  ];
  return `${taskLine(task, Date.now())}${lines.join('\n')}\n`;
}
