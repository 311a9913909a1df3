import type { Message, ProviderData } from './message.ts';
import type { ToolDefinition } from './tool.ts';

export interface ModelOptions {
  /** Ask the model to think first; each vendor's own field, ignored where there is none. */
  readonly thinking?: boolean;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
}

/**
 * One request. `messages` may be the session's growing list: an adapter reads it before its first
 * await and keeps what it encoded of a message by that message's identity.
 */
export interface ModelRequest {
  readonly system?: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly options?: ModelOptions;
}

export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedInputTokens?: number;
  readonly reasoningTokens?: number;
}

export interface ModelFault {
  readonly message: string;
  /** HTTP status, where there was one. */
  readonly status?: number;
  /** The same request may succeed later. */
  readonly retryable: boolean;
  /** What the server asked to wait. */
  readonly retryAfterMs?: number;
}

export type StopReason = 'stop' | 'tool_calls' | 'length' | 'error' | 'aborted';

/**
 * A model's reply as it comes. `key` names a call within this reply only; ids and names may be
 * missing, equal or late, which is for the reader of the stream to repair.
 */
export type ModelEvent =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly text: string }
  /** A call has begun. Calls begin in the order in which they are to be answered. */
  | { readonly type: 'tool_call_start'; readonly key: number; readonly id?: unknown; readonly name?: string }
  /** More of a call's arguments (`text`), or its id or name coming late. */
  | {
      readonly type: 'tool_call_delta';
      readonly key: number;
      readonly text: string;
      readonly id?: unknown;
      readonly name?: string;
    }
  /** The provider itself said that this call is whole. `arguments`, when given, replaces what the deltas added up to. */
  | { readonly type: 'tool_call'; readonly key: number; readonly arguments?: unknown }
  /** Always the last event, exactly once. A stream cut without a finish reason ends with `error`. */
  | {
      readonly type: 'model_end';
      readonly reason: StopReason;
      readonly usage?: Usage;
      readonly fault?: ModelFault;
      /** What this adapter wants back with the assistant message. */
      readonly provider?: ProviderData;
    };

export interface Model {
  /** `provider/name`. */
  readonly id: string;
  /** Input window in tokens, when known. */
  readonly contextWindow?: number;
  /** Throws only before its first await (a bad request of ours); afterwards a failure is the last event. */
  stream(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ModelEvent>;
}
