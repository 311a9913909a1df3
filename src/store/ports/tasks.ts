import type { TaskFacts, TaskStatus } from '../../core/index.ts';

/** The process that runs a task. */
export interface TaskOwner {
  readonly host: string;
  readonly pid: number;
  /** What tells it from a later process of the same number; null where the system does not say. */
  readonly startedAt: string | null;
}

/** A background task as it is kept; every text is masked and bounded. */
export interface TaskRecord extends TaskFacts {
  readonly id: string;
  readonly sessionId: string;
  readonly agentName: string;
  readonly kind: string;
  /** `lost`: the process that ran it ended before it did. */
  readonly status: TaskStatus | 'lost';
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly owner: TaskOwner;
  /** Somebody asked its owner to end it. */
  readonly stopRequested: boolean;
  /** The model knows of its end. */
  readonly told: boolean;
}

export interface TaskEnd extends TaskFacts {
  readonly status: Exclude<TaskRecord['status'], 'running'>;
  readonly endedAt: number;
}

/** Background tasks of all sessions. Of each session the last 200 ended ones are kept. */
export interface TaskStore {
  /** Keeps a new task. A session that is not known is `not_found`. */
  put(task: TaskRecord): Promise<void>;
  get(id: string): Promise<TaskRecord | undefined>;
  /** Oldest first. */
  list(filter?: { sessionId?: string; status?: TaskRecord['status'] }): Promise<readonly TaskRecord[]>;
  /** The end of a running task; false when it has ended already, or is not there. */
  end(id: string, end: TaskEnd): Promise<boolean>;
  /** False when it is not running. */
  requestStop(id: string): Promise<boolean>;
  tell(id: string): Promise<void>;
  /** Calls `onChange` when tasks may have changed, here at once, elsewhere within two seconds. Gives how to stop. */
  watch(onChange: () => void): () => void;
}

/** Of one session. */
export const MOST_ENDED_TASKS = 200;
