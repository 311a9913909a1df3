import { type Clock, type Log, messageOf } from '../core/index.ts';
import { endStrays } from '../sandbox/index.ts';
import type { TaskRecord, TaskStore } from '../store/index.ts';
import { mayLive } from './task-owner.ts';

/** The tasks as they are: one whose process is gone is `lost`, and what is left of it on this machine is ended. */
export async function settleLost(
  store: TaskStore,
  tasks: readonly TaskRecord[],
  clock: Clock,
  log: Log,
  isGone = (task: TaskRecord) => !mayLive(task.owner),
): Promise<readonly TaskRecord[]> {
  return Promise.all(
    tasks.map(async (task) => {
      if (task.status !== 'running' || !isGone(task)) return task;
      if (task.processId !== null) {
        await endStrays(task.processId, clock).catch((error) =>
          log('warn', `what is left of ${task.id} was not ended`, { error: messageOf(error) }),
        );
      }
      const { command, cwd, processId, exitCode, signal, output, tail } = task;
      const facts = { command, cwd, processId, exitCode, signal, output, tail };
      await store.end(task.id, { ...facts, status: 'lost', endedAt: clock.now() });
      return (await store.get(task.id)) ?? task;
    }),
  );
}
