import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { AgentEvent, EventBody, Message, Model, ModelEvent } from '../core/index.ts';
import { createReplayModel } from './replay.ts';

const user = (content: Extract<Message, { role: 'user' }>['content'], id = 'u'): Message => ({
  id,
  role: 'user',
  content,
});
const said = (id: string, content: string, more: Partial<Extract<Message, { role: 'assistant' }>> = {}): Message => ({
  id,
  role: 'assistant',
  content,
  ...more,
});
const result = (toolCallId: string, content: string): Message => ({
  id: `of ${toolCallId}`,
  role: 'tool',
  toolCallId,
  name: 'add',
  content,
  isError: false,
});
const kept = (...bodies: EventBody[]): AgentEvent[] =>
  bodies.map((body, seq) => ({ ...body, sessionId: 's', seq, ts: 0 }));

async function ask(model: Model, messages: readonly Message[]): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream({ messages, tools: [] }, { signal: new AbortController().signal })) {
    events.push(event);
  }
  return events;
}
const faultOf = async (model: Model, messages: readonly Message[]) => {
  const end = (await ask(model, messages)).at(-1);
  return end?.type === 'model_end' ? (end.fault?.message ?? end.reason) : 'no end';
};

const call = { id: 'c', name: 'add', arguments: '{"a":1,"b":2}' };
const signed = { adapter: 'x', value: ['signature'] };
const recorded: Message[] = [
  user('1 + 2?'),
  said('a1', 'Let me add.', { thinking: 'Hm.', toolCalls: [call], provider: signed }),
  result('c', '3'),
  said('a2', 'It is 3.'),
];
const replay = (messages: readonly Message[] = recorded, events: readonly AgentEvent[] = []) =>
  createReplayModel({ id: 'replay:s', messages, events });

verifies(
  'model/replay',
  'a reply comes as it was: thinking, text, calls, what the provider wants back, usage',
  async () => {
    const message = recorded[1] as Message;
    const events = kept(
      { type: 'run_start', runId: 'r', model: 'openai/big' },
      { type: 'turn_start', runId: 'r', step: 1 },
      { type: 'message', message },
      { type: 'turn_end', runId: 'r', step: 1, usage: { inputTokens: 7 } },
    );
    const model = replay(recorded, events);
    expect([model.id, replay().id]).toEqual(['openai/big', 'replay:s']);
    expect(await ask(model, recorded.slice(0, 1))).toEqual([
      { type: 'thinking_delta', text: 'Hm.' },
      { type: 'text_delta', text: 'Let me add.' },
      { type: 'tool_call_start', key: 0, id: 'c', name: 'add' },
      { type: 'tool_call_delta', key: 0, text: call.arguments },
      { type: 'model_end', reason: 'tool_calls', usage: { inputTokens: 7 }, provider: signed },
    ]);
  },
);

verifies(
  'model/replay',
  'ids and the order of keys may differ; a history of another process is gone on with',
  async () => {
    const reordered = { ...call, id: 'other', arguments: '{ "b": 2, "a": 1 }' };
    const history = [user('1 + 2?', 'v'), said('b1', 'Let me add.', { toolCalls: [reordered] }), result('other', '3')];
    const events = await ask(replay(), history);
    expect(events[0]).toEqual({ type: 'text_delta', text: 'It is 3.' });
  },
);

verifies('model/replay', 'the first request that differs fails for good and shows where', async () => {
  const history = recorded.slice(0, 3);
  expect(await faultOf(replay(), [user('1 + 3?')])).toMatch(/message 1 differs[\s\S]*1 \+ 2\?[\s\S]*1 \+ 3\?/);
  const far = (end: string) => [user(`${'x'.repeat(5_000)}${end}`), said('a', 'y')];
  const shown = await faultOf(replay(far('THEN')), far('NOW').slice(0, 1));
  expect(shown).toMatch(/…x+THEN\n[\s\S]*…x+NOW/);
  expect(shown.length).toBeLessThan(500);
  const named = said('a1', 'Let me add.', { toolCalls: [{ ...call, name: 'multiply' }] });
  expect(await faultOf(replay(), [recorded[0] as Message, named])).toContain('multiply');
  expect(await faultOf(replay(), [...history.slice(0, 2), result('c', '4')])).toContain('tool add: 4');
  expect(await faultOf(replay(), history.slice(0, 2))).toContain('(nothing)');
  expect(await faultOf(replay(), recorded)).toContain('no further reply');
  const picture = (data: string) => user([{ type: 'image', mimeType: 'image/png', data }]);
  expect(await faultOf(replay([picture('aaaa'), said('a', 'A cat.')]), [picture('bbbb')])).toContain('image/png');
  expect(await faultOf(replay([picture('aaaa'), said('a', 'A cat.')]), [picture('aaaa')])).toBe('stop');
  const odd = said('a', '', { toolCalls: [{ ...call, arguments: 'not JSON' }] });
  expect(await faultOf(replay([user('x'), odd, result('c', 'r'), said('b', 'y')]), [user('x'), odd])).toContain(
    '(nothing)',
  );
});

verifies('model/replay', 'a history that was changed on the way is compared again', async () => {
  const model = replay();
  const history = recorded.slice(0, 3);
  expect(await faultOf(model, history)).toBe('stop');
  expect(await faultOf(model, [user('another'), ...history.slice(1)])).toContain('another');
  expect(await faultOf(model, history)).toBe('stop');
});

verifies('model/replay', 'a call that could not be read then is no readable call now', async () => {
  const cut = { id: 'c', name: 'add', arguments: '{}' };
  const messages = [user('go'), said('a', '', { toolCalls: [cut] }), result('c', 'Error [invalid_json]: …')];
  const error = { code: 'invalid_json' as const, message: 'cut', retryable: false };
  const failed = { callId: 'c', name: 'add', content: '…', error, durationMs: 0 };
  const told = kept(
    { type: 'tool_call', callId: 'c', name: 'add', arguments: '{"a":1,"b', step: 1 },
    { type: 'tool_result', result: failed, step: 1 },
  );
  const texts = async (events: readonly AgentEvent[]) =>
    (await ask(replay(messages, events), messages.slice(0, 1))).slice(1);
  expect(await texts(told)).toEqual([
    { type: 'tool_call_delta', key: 0, text: '{"a":1,"b' },
    { type: 'model_end', reason: 'length' },
  ]);
  expect((await texts(told.slice(1)))[0]).toEqual({ type: 'tool_call_delta', key: 0, text: '{' });
});

verifies('model/replay', 'a reply that the output limit cut ends so again', async () => {
  const message = said('a', 'and then');
  const events = kept(
    { type: 'turn_start', runId: 'r', step: 1 },
    { type: 'message', message },
    { type: 'turn_end', runId: 'r', step: 1 },
    { type: 'run_end', runId: 'r', reason: 'length', steps: 1, usage: {} },
  );
  expect(await faultOf(replay([user('go'), message], events), [user('go')])).toBe('length');
});
