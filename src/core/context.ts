import type { AskPower } from './ask.ts';
import type { Clock } from './clock.ts';
import type { ReadState } from './read-state.ts';
import type { StoredOutput } from './result.ts';
import type { Roots, Sandbox } from './sandbox.ts';
import type { SkillPower } from './skill.ts';

export type ProgressStream = 'stdout' | 'stderr' | 'info';

export interface SessionInfo {
  readonly id: string;
  readonly agentName: string;
  /** Somebody is there to answer. */
  readonly interactive: boolean;
  readonly thinking: boolean;
}

/** What `claims` and `permissions` may look at: enough to find real paths, nothing that changes anything. */
export interface FactsContext {
  readonly session: SessionInfo;
  readonly roots: Roots;
}

/** A file for one call's output, written as it comes. */
export interface OutputWriter {
  write(piece: string | Uint8Array): Promise<void>;
  /** Where what was written so far can be read before the end; absent when it cannot. */
  readonly livePath?: string;
  /** Ends the file; what was written is then readable under the returned path. */
  close(): Promise<StoredOutput>;
  /** Ends and removes it. */
  discard(): Promise<void>;
}

/** Outputs kept outside the conversation, by session and call. What is written is masked on its way. */
export interface Outputs {
  open(callId: string): Promise<OutputWriter>;
  /** True when the path has the form of a stored output (`outputs/<file>`). */
  owns(path: string): boolean;
  /** Bytes of a stored output from `offset`, at most `length`; ToolwrightError `not_found` when there is none. */
  read(path: string, range?: { offset?: number; length?: number }): Promise<Uint8Array>;
  /** Size in bytes, undefined when there is none. */
  size(path: string): Promise<number | undefined>;
  /** Where the file is on the host, for a search program that must open it itself. */
  hostPath(path: string): Promise<string | undefined>;
  /** Where that program runs: beside the files, whatever the session's sandbox. Default: in the sandbox. */
  readonly searcher?: Pick<Sandbox, 'start' | 'capabilities'>;
}

export type Log = (level: 'debug' | 'info' | 'warn' | 'error', message: string, data?: Record<string, unknown>) => void;

/** Everything a tool may use. Powers that were not granted are absent. */
export interface ToolContext extends FactsContext {
  readonly call: { readonly id: string; readonly name: string };
  /** Aborted when the call is cancelled or has run too long. */
  readonly signal: AbortSignal;
  readonly sandbox: Sandbox;
  readonly files: ReadState;
  readonly outputs: Outputs;
  /** The session's network policy and the only way out. */
  readonly fetch: typeof globalThis.fetch;
  /** Text for the screen only: never kept, never shown to the model. */
  progress(text: string, stream?: ProgressStream): void;
  readonly log: Log;
  /** For limits of the tool's own. */
  readonly clock: Clock;
  /** More tools for the next request, within the view. */
  readonly select?: SelectPower;
  /** Questions to the person. */
  readonly ask?: AskPower;
  readonly skills?: SkillPower;
  /** Commands that go on after their call. */
  readonly tasks?: TaskPower;
}

export type TaskStatus = 'running' | 'completed' | 'failed' | 'timeout' | 'killed';

export interface TaskFacts {
  readonly command: string;
  readonly cwd: string | null;
  /** What its processes carry as TOOLWRIGHT_TASK. */
  readonly processId: string | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Where its whole output can be read. */
  readonly output: string | null;
  /** The end of what it printed. */
  readonly tail: string;
}

/** Work that outlives the call that began it. */
export interface BackgroundTask {
  readonly id: string;
  readonly kind: string;
  readonly status: TaskStatus;
  readonly ended: Promise<void>;
  /** What the model is told when it ended unobserved; `mask` goes over each text before it is cut. */
  announcement(mask: (text: string) => string): string;
  /** What is kept of it and shown to people, as of now; masked like the announcement. */
  facts(mask: (text: string) => string): TaskFacts;
  kill(): Promise<void>;
}

/** The background tasks of one session, which ends them with itself. */
export interface TaskPower {
  newId(): string;
  /** False when too many are running. */
  adopt(task: BackgroundTask): boolean;
  /** ToolwrightError `invalid_input` for every id that is not this session's. */
  get(id: string): BackgroundTask;
  /** Its end has been told by a result: it is not announced. */
  told(id: string): void;
}

export interface SelectPower {
  expand(names: readonly string[]): {
    readonly expanded: readonly string[];
    readonly alreadySelected: readonly string[];
    readonly invalid: readonly string[];
    readonly expandable: readonly string[];
  };
}
