import type { Ask, AskOutcome } from './ask.ts';
import type { ProgressStream } from './context.ts';
import type { Message } from './message.ts';
import type { Usage } from './model.ts';
import type { ToolResult } from './result.ts';

export type RunEndReason = 'stop' | 'max_steps' | 'length' | 'budget' | 'cancelled' | 'error';

/** A fact of a run, before it has a place in the session's order. Types are named as on the wire. */
export type EventBody =
  | { readonly type: 'run_start'; readonly runId: string; readonly model: string }
  | { readonly type: 'turn_start'; readonly runId: string; readonly step: number }
  | {
      readonly type: 'turn_end';
      readonly runId: string;
      readonly step: number;
      readonly usage?: Usage;
      /** The reply's text is void: the same turn is asked again. */
      readonly discarded?: boolean;
    }
  | {
      readonly type: 'run_end';
      readonly runId: string;
      readonly reason: RunEndReason;
      readonly steps: number;
      readonly usage: Usage;
      readonly error?: { readonly code: string; readonly message: string };
    }
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly text: string }
  | { readonly type: 'tool_call_delta'; readonly callId: string; readonly name: string; readonly text: string }
  | { readonly type: 'message'; readonly message: Message }
  | {
      readonly type: 'tool_call';
      readonly callId: string;
      readonly name: string;
      /** The input as it will be run; the raw text when it could not be parsed. */
      readonly arguments: unknown;
      readonly step: number;
    }
  | {
      readonly type: 'tool_progress';
      readonly callId: string;
      readonly text: string;
      readonly stream: ProgressStream;
      /** True once per call, last. */
      readonly closed: boolean;
      /** Bytes of this stream that came before `text`; a gap means that a slow reader missed some. */
      readonly offset: number;
    }
  | { readonly type: 'tool_result'; readonly result: ToolResult; readonly step: number }
  | { readonly type: 'ask'; readonly ask: Ask }
  | { readonly type: 'ask_resolved'; readonly id: string; readonly outcome: AskOutcome; readonly by: string }
  | {
      readonly type: 'tools_selected';
      readonly offered: readonly string[];
      readonly strategy: string;
      readonly expanded: readonly string[];
      /** Names asked for that exist nowhere. */
      readonly unknown: readonly string[];
    }
  /** A background task has ended; told once. */
  | { readonly type: 'notification'; readonly taskId: string; readonly status: string; readonly text: string }
  | { readonly type: 'error'; readonly code: string; readonly message: string; readonly retryable: boolean }
  | { readonly type: 'heartbeat' };

export interface EventEnvelope {
  readonly sessionId: string;
  /** Grows along the session; gaps are legal, repeats are not. */
  readonly seq: number;
  /** Seconds since the epoch. */
  readonly ts: number;
  readonly agentName?: string;
  /** In a subagent: the call that started it. */
  readonly parentCallId?: string;
}

export type AgentEvent = EventBody & EventEnvelope;
export type EventType = EventBody['type'];

/** The events that are written down; the others are for who watches. */
export const KEPT_EVENTS: ReadonlySet<EventType> = new Set<EventType>([
  'run_start',
  'turn_start',
  'turn_end',
  'run_end',
  'message',
  'tool_call',
  'tool_result',
  'ask',
  'ask_resolved',
  'tools_selected',
  'notification',
  'error',
]);

/** Where a room puts its events; it never waits and never throws. */
export type Emit = (event: EventBody) => void;
