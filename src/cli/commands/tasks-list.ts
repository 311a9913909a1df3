import { createRuntime } from '../../runtime/index.ts';
import { toollessOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { taskToJson } from '../render/task-json.ts';
import { taskLine } from '../render/task-line.ts';

/** The background tasks of all sessions, or of one. */
export async function tasksList(io: Io, flags: RuntimeFlags & { readonly session?: string }): Promise<number> {
  const runtime = await createRuntime(toollessOptions(flags));
  try {
    const tasks = await runtime.tasks.list(flags.session === undefined ? {} : { sessionId: flags.session });
    if (flags.json) await io.out(`${JSON.stringify(tasks.map(taskToJson))}\n`);
    else if (tasks.length === 0) await io.out('No background tasks.\n');
    else await io.out(tasks.map((task) => taskLine(task, Date.now())).join(''));
    return 0;
  } finally {
    await runtime.close();
  }
}
