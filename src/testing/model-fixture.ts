import type { StopReason } from '../core/index.ts';
import type { ServerPiece } from './model-server-step.ts';

/** What a reader of the stream must have understood. */
export interface FixtureOutcome {
  readonly reason: StopReason;
  readonly text?: string;
  readonly thinking?: string;
  /** The calls in their order, with the arguments as the text that came; `id` only where it is to be told. */
  readonly calls: readonly { readonly name?: string; readonly arguments: string; readonly id?: unknown }[];
}

/** One trap of real streams, as data. */
export interface ModelFixture {
  readonly name: string;
  /** What is odd about it. */
  readonly what: string;
  readonly openai: readonly ServerPiece[];
  readonly anthropic?: readonly ServerPiece[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Through the own client; through Anthropic too, where there is such a stream. */
  readonly expected: FixtureOutcome;
  /** Through the AI SDK's OpenAI-compatible adapter, where that layer loses something. */
  readonly throughAiSdk?: FixtureOutcome;
}
