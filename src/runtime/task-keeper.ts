import { type BackgroundTask, type Clock, type Log, type Masker, messageOf } from '../core/index.ts';
import type { TaskRecord, TaskStore } from '../store/index.ts';
import { settleLost } from './settle-lost.ts';
import { isHere, mayLive, taskOwner } from './task-owner.ts';

/** Writes a session's background tasks down. A store that fails costs the row, never the task. */
export interface TaskKeeper {
  began(task: BackgroundTask): void;
  ended(task: BackgroundTask): void;
  /** The model knows of its end. */
  told(id: string): void;
  /** What earlier processes left of the session and nobody has told; what they still ran is lost, and ended. */
  inherited(): Promise<readonly TaskRecord[]>;
  /** Resolves when all is written. */
  close(): Promise<void>;
}

export interface TaskKeeperOptions {
  readonly store: TaskStore;
  readonly session: { readonly id: string; readonly agentName: string };
  readonly masker: Masker;
  readonly clock: Clock;
  readonly log: Log;
}

export function createTaskKeeper({ store, session, masker, clock, log }: TaskKeeperOptions): TaskKeeper {
  const running = new Map<string, BackgroundTask>();
  /** Of all that this session began itself. */
  const begun = new Set<string>();
  let writing: Promise<unknown> = Promise.resolve();
  let unwatch: (() => void) | undefined;

  const write = (work: () => Promise<unknown>): void => {
    writing = writing
      .then(work)
      .catch((error) => log('warn', 'a background task was not written down', { error: messageOf(error) }));
  };
  /** Ends what another process asks to end. */
  const heed = async (): Promise<void> => {
    try {
      const tasks = await store.list({ sessionId: session.id, status: 'running' });
      for (const { id, stopRequested } of tasks) if (stopRequested) void running.get(id)?.kill();
    } catch (error) {
      log('warn', 'nobody knows whether a background task is to end', { error: messageOf(error) });
    }
  };
  const watch = (): Promise<void> => {
    unwatch ??= store.watch(() => void heed());
    return heed();
  };
  const watchNoMore = () => {
    unwatch?.();
    unwatch = undefined;
  };

  const leftBehind = async (): Promise<readonly TaskRecord[]> => {
    const untold = (await store.list({ sessionId: session.id })).filter((task) => !task.told && !begun.has(task.id));
    // What a living process ran or runs, that one tells.
    const ownerless = untold.filter(({ owner }) => !mayLive(owner) || (isHere(owner) && owner.pid === process.pid));
    return (await settleLost(store, ownerless, clock, log)).filter((task) => task.status !== 'running');
  };

  return {
    began(task) {
      running.set(task.id, task);
      begun.add(task.id);
      const startedAt = clock.now();
      write(async () => {
        await store.put({
          ...task.facts(masker.mask),
          id: task.id,
          sessionId: session.id,
          agentName: session.agentName,
          kind: task.kind,
          status: 'running',
          startedAt,
          endedAt: null,
          owner: taskOwner(),
          stopRequested: false,
          told: false,
        });
        if (running.has(task.id)) await watch();
      });
    },
    ended(task) {
      running.delete(task.id);
      if (running.size === 0) watchNoMore();
      const { status } = task;
      if (status === 'running') return;
      const end = { ...task.facts(masker.mask), status, endedAt: clock.now() };
      write(() => store.end(task.id, end));
    },
    told(id) {
      write(() => store.tell(id));
    },
    async inherited() {
      try {
        return await leftBehind();
      } catch (error) {
        log('warn', 'background tasks of earlier processes could not be looked for', { error: messageOf(error) });
        return [];
      }
    },
    async close() {
      watchNoMore();
      await writing;
    },
  };
}
