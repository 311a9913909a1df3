import { isObject, type ModelEvent, type ModelFault, type StopReason, type Usage } from '../../core/index.ts';
import { createDeltaCalls } from './delta-calls.ts';
import { errorFault } from './error-fault.ts';
import { createEventBatch } from './event-batch.ts';

export type ModelEnd = Extract<ModelEvent, { type: 'model_end' }>;

/** What is kept of a reply for the next request: parts that the vendor wants back as they were. */
export interface KeptReply {
  readonly calls?: readonly { readonly key: number; readonly id?: string; readonly extra: unknown }[];
}

/** Turns the chunks of one reply into events. */
export interface ReplyReader {
  /** One chunk of a stream. */
  read(value: unknown, event: string): void;
  /** A whole reply, from a server that does not stream. */
  readWhole(value: unknown): void;
  /** Events since the last time. */
  take(): ModelEvent[];
  /** Set as soon as the reply can no longer end well. */
  readonly fault: ModelFault | undefined;
  /** The server has given its finish reason. */
  readonly finished: boolean;
  /** The last event; asked once, before the last `take`. */
  end(): ModelEnd;
}

const CUT = 'the stream was cut: it ended without a finish reason';

export function createReplyReader(adapter: string): ReplyReader {
  const batch = createEventBatch();
  const calls = createDeltaCalls(batch);
  let fault: ModelFault | undefined;
  let finish: string | undefined;
  let usage: Usage | undefined;
  let hasText = false;

  const text = (value: unknown) => {
    for (const part of textParts(value)) {
      if (part.text === '') continue;
      if (!part.thinking) hasText = true;
      batch.text(part.thinking ? 'thinking_delta' : 'text_delta', part.text);
    }
  };
  const accept = (delta: unknown) => {
    if (calls.accept(delta)) return;
    fault = {
      message:
        'the server sent arguments without index and id while several calls were open; they cannot be told apart',
      retryable: true,
    };
  };
  const readDelta = (delta: Record<string, unknown>, whole: boolean) => {
    const thinking = delta.reasoning_content ?? delta.reasoning;
    if (typeof thinking === 'string' && thinking !== '') batch.text('thinking_delta', thinking);
    text(delta.content);
    text(delta.refusal);
    if (Array.isArray(delta.tool_calls)) {
      delta.tool_calls.forEach((call: unknown, index) => {
        accept(whole && isObject(call) ? { ...call, index } : call);
      });
    }
    if (isObject(delta.function_call)) accept({ index: 0, function: delta.function_call });
  };
  const read = (value: unknown, event: string, whole: boolean) => {
    if (fault) return;
    if (!isObject(value)) {
      fault = { message: 'the server sent a chunk that is not an object', retryable: true };
      return;
    }
    if (event === 'error' || value.object === 'error' || (value.error !== undefined && value.error !== null)) {
      fault = errorFault(value);
      return;
    }
    if (isObject(value.usage)) usage = readUsage(value.usage);
    const choice: unknown = Array.isArray(value.choices) ? value.choices[0] : undefined;
    if (!isObject(choice) || (typeof choice.index === 'number' && choice.index !== 0)) return;
    const delta = choice.delta ?? choice.message;
    if (isObject(delta)) readDelta(delta, whole);
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') finish = choice.finish_reason;
  };
  const kept = (): KeptReply | undefined => {
    const extras = calls.calls
      .filter((call) => call.extra !== undefined)
      .map((call) => ({ key: call.key, ...(call.id === undefined ? {} : { id: call.id }), extra: call.extra }));
    return extras.length > 0 ? { calls: extras } : undefined;
  };

  return {
    read: (value, event) => read(value, event, false),
    readWhole: (value) => read(value, '', true),
    take: () => batch.take(),
    get fault() {
      return fault;
    },
    get finished() {
      return finish !== undefined;
    },
    end() {
      const outcome: Outcome = fault
        ? { reason: 'error', fault }
        : outcomeOf(finish, { calls: calls.calls.length > 0, text: hasText });
      if (outcome.reason === 'stop' || outcome.reason === 'tool_calls') calls.settle();
      const value = kept();
      return {
        type: 'model_end',
        ...outcome,
        ...(usage === undefined ? {} : { usage }),
        ...(value === undefined ? {} : { provider: { adapter, value } }),
      };
    },
  };
}

type Outcome = { readonly reason: StopReason; readonly fault?: ModelFault };

function outcomeOf(finish: string | undefined, has: { calls: boolean; text: boolean }): Outcome {
  const failed = (message: string, retryable: boolean): Outcome => ({ reason: 'error', fault: { message, retryable } });
  switch (finish) {
    case undefined:
      return failed(CUT, true);
    case 'length':
    case 'max_tokens':
      return { reason: 'length' };
    case 'content_filter':
      return failed("the provider's content filter stopped the reply", false);
    case 'error':
    case 'insufficient_system_resource':
      return failed(`the provider ended the reply with finish reason ${finish}`, true);
    case 'tool_calls':
    case 'function_call':
      if (!has.calls && !has.text) return failed('the provider said that it calls tools, but sent no call', true);
  }
  return { reason: has.calls ? 'tool_calls' : 'stop' };
}

/** Content is a text, or with some vendors a list of text and thinking parts. */
function textParts(value: unknown, thinking = false): { text: string; thinking: boolean }[] {
  if (typeof value === 'string') return [{ text: value, thinking }];
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).flatMap((part) => {
    if (part.type === 'thinking') return textParts(part.thinking, true);
    return part.type === 'text' ? textParts(part.text, thinking) : [];
  });
}

function readUsage(usage: Record<string, unknown>): Usage {
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined);
  const prompt = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const completion = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  const fields = {
    inputTokens: number(usage.prompt_tokens),
    outputTokens: number(usage.completion_tokens),
    cachedInputTokens: number(prompt.cached_tokens) ?? number(usage.prompt_cache_hit_tokens),
    reasoningTokens: number(completion.reasoning_tokens),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
