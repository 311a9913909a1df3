import type { Message, Model, ModelEvent, ModelRequest, ToolDefinition } from '../../src/core/index.ts';
import type { FixtureOutcome } from '../../src/testing/model-fixtures.ts';

const tool = (name: string): ToolDefinition => ({ name, description: name, inputSchema: { type: 'object' } });

/** A first request, with the tools that the fixtures call. */
export const firstRequest: ModelRequest = {
  messages: [{ id: 'm1', role: 'user', content: 'Go.' }],
  tools: ['now', 'read', 'search', 'write'].map(tool),
};

export function requestWith(messages: readonly Message[]): ModelRequest {
  return { ...firstRequest, messages };
}

export type End = Extract<ModelEvent, { type: 'model_end' }>;

/** A reply as its reader understands it. */
export interface Reply {
  readonly events: readonly ModelEvent[];
  readonly end: End;
  readonly outcome: FixtureOutcome;
  /** Keys of the calls that were told as whole. */
  readonly told: readonly number[];
}

export async function readReply(
  model: Model,
  request: ModelRequest = firstRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<Reply> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, { signal })) events.push(event);
  return replyOf(events);
}

export function replyOf(events: readonly ModelEvent[]): Reply {
  const ends = events.filter((event) => event.type === 'model_end');
  const end = events.at(-1);
  if (ends.length !== 1 || end?.type !== 'model_end')
    throw new Error(`${ends.length} ends, the last event is ${end?.type}`);
  const calls = new Map<number, { id?: unknown; name?: string; arguments: string }>();
  const told: number[] = [];
  let text = '';
  let thinking = '';
  for (const event of events) {
    if (event.type === 'text_delta') text += event.text;
    if (event.type === 'thinking_delta') thinking += event.text;
    if (event.type === 'tool_call_start') {
      if (calls.has(event.key)) throw new Error(`call ${event.key} starts twice`);
      calls.set(event.key, { id: event.id, arguments: '', ...(event.name === undefined ? {} : { name: event.name }) });
    }
    if (event.type === 'tool_call_delta' || event.type === 'tool_call') {
      const call = calls.get(event.key);
      if (call === undefined) throw new Error(`call ${event.key} goes on before it starts`);
      if (event.type === 'tool_call') {
        told.push(event.key);
        if (event.arguments !== undefined) call.arguments = String(event.arguments);
        continue;
      }
      call.arguments += event.text;
      if (event.name !== undefined) call.name = event.name;
      if (event.id !== undefined) call.id = event.id;
    }
  }
  return { events, end, told, outcome: { reason: end.reason, text, thinking, calls: [...calls.values()] } };
}
