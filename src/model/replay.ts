import { createHash } from 'node:crypto';
import {
  type AgentEvent,
  type AssistantMessage,
  type Content,
  canonicalJson,
  headOf,
  type Message,
  type Model,
  type ModelEvent,
  type StopReason,
  type Usage,
} from '../core/index.ts';

/** What is kept of a session. */
export interface Recording {
  /** The model's name while the recording has none. */
  readonly id: string;
  readonly messages: readonly Message[];
  readonly events: readonly AgentEvent[];
}

/**
 * A model that answers as it did in a recorded session, under the recorded model's name: to a history that the
 * recording begins with, the reply that came next. Ids, times and the system text may differ; at the first request
 * that holds another history it fails and shows the difference.
 */
export function createReplayModel({ id, messages: recorded, events }: Recording): Model {
  const facts = factsOf(events);
  /** Messages that were found equal: one that comes again need not be read again. */
  const equal: Message[] = [];

  /** Undefined when the recording begins with this history. */
  const differenceOf = (messages: readonly Message[]): string | undefined => {
    for (const [index, message] of messages.entries()) {
      if (equal[index] === message) continue;
      const [now, then] = [shown(message), shown(recorded[index])];
      if (now !== then) return `message ${index + 1} differs from the recording.\n${diff(then, now)}`;
      equal[index] = message;
    }
    const next = recorded[messages.length];
    if (next === undefined) return `the recording of ${recorded.length} messages holds no further reply`;
    if (next.role === 'assistant') return undefined;
    return `message ${messages.length + 1} differs from the recording.\n${diff(shown(next), shown(undefined))}`;
  };

  return {
    id: modelOf(events) ?? id,
    async *stream({ messages }): AsyncGenerator<ModelEvent> {
      const difference = differenceOf(messages);
      const reply = recorded[messages.length];
      if (difference !== undefined || reply?.role !== 'assistant') {
        yield { type: 'model_end', reason: 'error', fault: { message: `replay: ${difference}`, retryable: false } };
      } else yield* play(reply, facts);
    },
  };
}

/** What only the events tell: how replies ended, by message id, and what calls were sent that could not be read. */
interface Facts {
  readonly ends: ReadonlyMap<string, { usage?: Usage; reason?: StopReason }>;
  readonly unread: ReadonlyMap<string, string | undefined>;
}

function* play(reply: AssistantMessage, { ends, unread }: Facts): Generator<ModelEvent> {
  const { content, thinking, toolCalls = [], provider } = reply;
  if (thinking) yield { type: 'thinking_delta', text: thinking };
  if (content !== '') yield { type: 'text_delta', text: content };
  for (const [key, call] of toolCalls.entries()) {
    yield { type: 'tool_call_start', key, id: call.id, name: call.name };
    yield { type: 'tool_call_delta', key, text: unread.has(call.id) ? (unread.get(call.id) ?? '{') : call.arguments };
  }
  const { usage, reason } = ends.get(reply.id) ?? {};
  const isCut = unread.has(toolCalls.at(-1)?.id ?? '');
  const told = isCut ? 'length' : toolCalls.length > 0 ? 'tool_calls' : 'stop';
  yield { type: 'model_end', reason: reason ?? told, ...(usage && { usage }), ...(provider && { provider }) };
}

function factsOf(events: readonly AgentEvent[]): Facts {
  const ends = new Map<string, { usage?: Usage; reason?: StopReason }>();
  const texts = new Map<string, string>();
  const unread = new Map<string, string | undefined>();
  let end: { usage?: Usage; reason?: StopReason } = {};
  for (const event of events) {
    if (event.type === 'turn_start') end = {};
    else if (event.type === 'message' && event.message.role === 'assistant') ends.set(event.message.id, end);
    else if (event.type === 'turn_end' && event.usage) end.usage = event.usage;
    else if (event.type === 'run_end' && event.reason === 'length') end.reason = 'length';
    else if (event.type === 'tool_call' && typeof event.arguments === 'string') {
      texts.set(event.callId, event.arguments);
    } else if (event.type === 'tool_result' && event.result.error?.code === 'invalid_json') {
      const { callId } = event.result;
      unread.set(callId, texts.get(callId));
    }
  }
  return { ends, unread };
}

function modelOf(events: readonly AgentEvent[]): string | undefined {
  return events.find((event) => event.type === 'run_start')?.model;
}

/** What of a message a model would see, without ids. */
function shown(message: Message | undefined): string {
  if (message === undefined) return '(nothing)';
  if (message.role === 'system') return 'system';
  if (message.role === 'tool') return `tool ${message.name}: ${contentOf(message.content)}`;
  if (message.role === 'user') return `user: ${contentOf(message.content)}`;
  const calls = (message.toolCalls ?? []).map((call) => `${call.name} ${canonical(call.arguments)}`);
  return [`assistant: ${message.content}`, ...calls].join('\n');
}

function contentOf(content: Content): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => {
      if (part.type === 'text') return part.text;
      const hash = createHash('sha256').update(part.data).digest('hex');
      return `[image ${part.mimeType} ${hash.slice(0, 16)}]`;
    })
    .join('\n');
}

function canonical(text: string): string {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return text;
  }
}

const CONTEXT_CHARS = 80;
const DIFF_CHARS = 400;

/** Both texts from shortly before the place where they part. */
function diff(then: string, now: string): string {
  let at = 0;
  while (at < then.length && then[at] === now[at]) at++;
  const from = at > CONTEXT_CHARS ? at - CONTEXT_CHARS : 0;
  const part = (text: string) => {
    const rest = text.slice(from);
    const head = headOf(rest, DIFF_CHARS);
    return `${from > 0 ? '…' : ''}${head}${head.length < rest.length ? '…' : ''}`;
  };
  return `- recorded: ${part(then)}\n+ now:      ${part(now)}`;
}
