import {
  canonicalJson,
  type Message,
  type Model,
  type ModelEvent,
  type ModelRequest,
  ToolwrightError,
  textOf,
} from '../core/index.ts';

/**
 * A model that answers as it did in a recorded conversation: its n-th reply to the n-th request. The request
 * must hold the same history as then, ids and times apart; at the first that differs it fails and says where.
 */
export function createReplayModel(id: string, recorded: readonly Message[]): Model {
  const replies = recorded.flatMap((message, index) => (message.role === 'assistant' ? [index] : []));
  let next = 0;
  return {
    id,
    async *stream(request): AsyncGenerator<ModelEvent> {
      const at = replies[next++];
      const reply = at === undefined ? undefined : recorded[at];
      const difference = differenceOf(request, recorded.slice(0, at ?? recorded.length));
      if (difference !== undefined || reply?.role !== 'assistant') {
        const message = difference ?? `the recording has no reply number ${next}`;
        yield { type: 'model_end', reason: 'error', fault: { message: `replay: ${message}`, retryable: false } };
        return;
      }
      if (reply.thinking) yield { type: 'thinking_delta', text: reply.thinking };
      if (reply.content !== '') yield { type: 'text_delta', text: reply.content };
      for (const [key, call] of (reply.toolCalls ?? []).entries()) {
        yield { type: 'tool_call_start', key, id: call.id, name: call.name };
        yield { type: 'tool_call_delta', key, text: call.arguments };
      }
      yield { type: 'model_end', reason: reply.toolCalls?.length ? 'tool_calls' : 'stop' };
    },
  };
}

/** Undefined when the request holds the recorded history. */
function differenceOf({ messages }: ModelRequest, history: readonly Message[]): string | undefined {
  const length = Math.max(messages.length, history.length);
  for (let index = 0; index < length; index++) {
    const [now, then] = [lineOf(messages[index]), lineOf(history[index])];
    if (now !== then)
      return `message ${index + 1} differs from the recording.\n- recorded: ${cut(then)}\n+ now:      ${cut(now)}`;
  }
  return undefined;
}

const cut = (line: string) => (line.length > 400 ? `${line.slice(0, 400)}…` : line);

/** What of a message a model would see, without ids. */
function lineOf(message: Message | undefined): string {
  if (message === undefined) return '(nothing)';
  if (message.role === 'tool') return `tool ${message.name}: ${textOf(message.content)}`;
  if (message.role !== 'assistant') return `${message.role}: ${textOf(message.content)}`;
  const calls = (message.toolCalls ?? []).map((call) => `${call.name} ${canonical(call.arguments)}`);
  return [`assistant: ${message.content}`, ...calls].join(' | ');
}

function canonical(text: string): string {
  try {
    return canonicalJson(JSON.parse(text));
  } catch (error) {
    throw new ToolwrightError('invalid_request', 'the recording holds arguments that are not JSON', { cause: error });
  }
}
