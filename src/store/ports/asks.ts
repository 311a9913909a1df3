import type { Ask, AskOutcome, Json, SuggestedRule } from '../../core/index.ts';
import type { AuditStore } from './audit.ts';
import type { Store } from './sessions.ts';
import type { TaskStore } from './tasks.ts';

/** How an ask ended. */
export interface AskResolution {
  readonly outcome: AskOutcome;
  /** Who or what ended it: `terminal`, `command line`, `grant`, `time`, … */
  readonly by: string;
  readonly at: number;
  readonly reason?: string;
  readonly scope?: SuggestedRule['scope'];
  /** The standing rule that came with a yes. */
  readonly rule?: string;
  readonly answers?: Readonly<Record<string, Json>>;
}

/** An ask as it is kept: open while `resolution` is absent. */
export interface AskRecord extends Ask {
  readonly resolution?: AskResolution;
}

/** What an answer says that it is for. */
export interface AnsweredAsk {
  readonly id: string;
  readonly sessionId: string;
  readonly hash: string;
}

/** What became of an answer. All but `resolved` leave the ask as it is. */
export type AnswerOutcome = 'resolved' | 'not_found' | 'wrong_session' | 'wrong_hash' | 'expired' | 'already_resolved';

export interface AskStore {
  /** Keeps a new ask. An id that is known is a `conflict`, a session that is not is `not_found`. */
  open(ask: Ask): Promise<void>;
  get(id: string): Promise<AskRecord | undefined>;
  /** Oldest first; `open` leaves out those that have ended, `at` those that have run out by then. */
  list(filter?: { sessionId?: string; open?: boolean; at?: number }): Promise<readonly AskRecord[]>;
  /** A person's answer: moves the ask from open to its final state, once, in one step; else says why not. */
  answer(to: AnsweredAsk, resolution: AskResolution): Promise<AnswerOutcome>;
  /** Ends an open ask without an answer; false when it had ended. */
  settle(id: string, resolution: AskResolution): Promise<boolean>;
  /**
   * Calls `onChange` when asks may have changed, here or in another process: at once for changes made through
   * this store, within two seconds for others. Gives how to stop.
   */
  watch(onChange: () => void): () => void;
}

/** What the house keeps. */
export interface HouseStore extends Store {
  readonly asks: AskStore;
  readonly audit: AuditStore;
  readonly tasks: TaskStore;
}
