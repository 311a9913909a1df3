import { createRuntime } from '../../runtime/index.ts';
import { toollessOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { taskToJson } from '../render/task-json.ts';
import { taskLine } from '../render/task-line.ts';

/** Ends a background task, whichever process runs it; one that has ended is shown as it is. */
export async function tasksStop(io: Io, flags: RuntimeFlags, id: string): Promise<number> {
  const runtime = await createRuntime(toollessOptions(flags));
  try {
    const task = await runtime.tasks.stop(id);
    await io.out(flags.json ? `${JSON.stringify(taskToJson(task))}\n` : taskLine(task, Date.now()));
    return 0;
  } finally {
    await runtime.close();
  }
}
