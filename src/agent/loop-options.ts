import type {
  Clock,
  Emit,
  ExecutionSession,
  Executor,
  Message,
  Model,
  ModelOptions,
  NewId,
  RunEndReason,
  StopReason,
  ToolDefinition,
  Usage,
} from '../core/index.ts';

/** The one owner of a session's conversation. */
export interface Transcript {
  /** The conversation as the model is shown it; the same array for the session's life. */
  readonly messages: readonly Message[];
  /** Ids of all calls so far, for the repair of repeated ones. */
  readonly usedCallIds: Set<string>;
  /** Appends messages, or replaces those whose id it knows; all in one write. Resolves when it is on disk. */
  put(messages: readonly Message[]): Promise<void>;
  /** The same for what nobody waits for now: written soon, before anything that is put later. */
  putSoon(messages: readonly Message[]): Promise<void>;
}

export interface Reply {
  /** The model that gave it. */
  readonly model: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly reason: StopReason;
  readonly usage: Usage;
}

export interface LoopOptions {
  readonly runId: string;
  readonly model: Model;
  /** Serves a turn when `model` failed at it for good, before its first call ran. */
  readonly fallback?: Model;
  readonly modelOptions?: ModelOptions;
  /** A function is asked before each request. */
  readonly system?: string | (() => Promise<string>);
  readonly executor: Executor;
  readonly session: Omit<ExecutionSession, 'step' | 'emit'>;
  /** The next request's tool block; asked before each request. */
  readonly tools: () => readonly ToolDefinition[];
  readonly transcript: Transcript;
  readonly emit: Emit;
  /** Called between a turn's results and the next request: what is put into the transcript then goes with it. */
  readonly beforeRequest?: () => Promise<void>;
  /** Told of each reply when it has ended; never throws. */
  readonly onReply?: (reply: Reply) => void;
  /** Model replies at the most. */
  readonly maxSteps: number;
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface LoopEnd {
  readonly reason: RunEndReason;
  readonly steps: number;
  readonly usage: Usage;
  readonly error?: { readonly code: string; readonly message: string };
}
