import type { WireEventOf } from './events.ts';
import type { WireContent } from './message.ts';

export interface ItemBase {
  /** Stays the same while the item changes; unique in its timeline. */
  readonly key: string;
  /** Seconds since the epoch of the event that gave the item its place. */
  readonly ts: number;
  readonly agentName?: string;
  /** Set on the items of a subagent: the call they belong below. */
  readonly parentCallId?: string;
}

export interface UserItem extends ItemBase {
  readonly kind: 'user';
  readonly content: WireContent;
}

/** The model's text or thinking of one reply; `live` while more may come. */
export interface ReplyItem extends ItemBase {
  readonly kind: 'text' | 'thinking';
  readonly text: string;
  readonly live: boolean;
}

/** Live output of a call. `missed` counts bytes lost before this piece, to a slow reader or to the limit of what is held. */
export interface ProgressPiece {
  readonly stream: WireEventOf<'tool_progress'>['stream'];
  readonly text: string;
  readonly missed?: number;
}

/**
 * `streaming`: its arguments are coming; `running`: called, or waiting for its turn; `interrupted`: the
 * run ended without a result.
 */
export type CallStatus = 'streaming' | 'running' | 'done' | 'failed' | 'interrupted';

/** A question of the call to the person, with its end once it has one. */
export interface CallAsk {
  readonly id: string;
  readonly kind: WireEventOf<'ask'>['kind'];
  readonly reason: string;
  readonly hash: string;
  readonly questions?: WireEventOf<'ask'>['questions'];
  readonly suggestions: WireEventOf<'ask'>['suggestions'];
  readonly expiresAt: number;
  readonly outcome?: WireEventOf<'ask_resolved'>['outcome'];
  readonly by?: string;
}

export interface CallItem extends ItemBase {
  readonly kind: 'call';
  readonly callId: string;
  readonly name: string;
  readonly status: CallStatus;
  /** The whole input, once it is known. */
  readonly arguments?: unknown;
  /** The arguments' text so far, while streaming. */
  readonly argumentsText?: string;
  /** What it said on the way, until its result stands in its place. */
  readonly progress: readonly ProgressPiece[];
  /** In the order in which they were put; absent when there were none. */
  readonly asks?: readonly CallAsk[];
  readonly output?: WireContent;
  readonly metadata?: unknown;
  readonly error?: WireEventOf<'tool_result'>['error'];
  readonly stored?: WireEventOf<'tool_result'>['stored'];
  readonly durationMs?: number;
}

/** A background task has ended. */
export interface NotificationItem extends ItemBase {
  readonly kind: 'notification';
  readonly taskId: string;
  readonly status: string;
  readonly text: string;
}

export interface ErrorItem extends ItemBase {
  readonly kind: 'error';
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

export interface RunEndItem extends ItemBase {
  readonly kind: 'run_end';
  readonly reason: WireEventOf<'run_end'>['reason'];
  readonly steps: number;
  readonly usage: WireEventOf<'run_end'>['usage'];
  readonly error?: WireEventOf<'run_end'>['error'];
}

/** What a screen shows of a session, in order. */
export type TimelineItem = UserItem | ReplyItem | CallItem | NotificationItem | ErrorItem | RunEndItem;
