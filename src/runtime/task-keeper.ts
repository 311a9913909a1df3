import { type BackgroundTask, type Clock, type Log, type Masker, messageOf, type TaskFacts } from '../core/index.ts';
import type { TaskRecord, TaskStore } from '../store/index.ts';
import { settleLost } from './settle-lost.ts';
import { mayLive, taskOwner } from './task-owner.ts';

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

const MOST_COMMAND_CHARS = 4_000;

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
  const factsOf = (task: BackgroundTask): TaskFacts => {
    const { command, tail, ...facts } = task.facts();
    return { ...facts, command: masker.mask(command).slice(0, MOST_COMMAND_CHARS), tail: masker.mask(tail) };
  };
  /** Ends what another process asks to end. */
  const heed = async (): Promise<void> => {
    const asked = (await store.list({ sessionId: session.id, status: 'running' })).filter((task) => task.stopRequested);
    for (const { id } of asked) void running.get(id)?.kill();
  };
  const watch = () => {
    unwatch ??= store.watch(() => void heed().catch(() => {}));
  };
  const watchNoMore = () => {
    unwatch?.();
    unwatch = undefined;
  };

  return {
    began(task) {
      running.set(task.id, task);
      begun.add(task.id);
      const startedAt = clock.now();
      write(async () => {
        await store.put({
          ...factsOf(task),
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
        if (running.has(task.id)) watch();
      });
    },
    ended(task) {
      running.delete(task.id);
      if (running.size === 0) watchNoMore();
      const { status } = task;
      if (status === 'running') return;
      const end = { ...factsOf(task), status, endedAt: clock.now() };
      write(() => store.end(task.id, end));
    },
    told(id) {
      write(() => store.tell(id));
    },
    async inherited() {
      const untold = (await store.list({ sessionId: session.id })).filter((task) => !task.told && !begun.has(task.id));
      // What a living process ran or runs, that one tells.
      const ownerless = untold.filter((task) => !mayLive(task.owner) || task.owner.pid === process.pid);
      return (await settleLost(store, ownerless, clock, log)).filter((task) => task.status !== 'running');
    },
    async close() {
      watchNoMore();
      await writing;
    },
  };
}
