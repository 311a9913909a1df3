import fc from 'fast-check';
import { expect } from 'vitest';
import { anyEvent, eventTypes } from '../../test/unit/any-event.ts';
import { verifies } from '../../test/verifies.ts';
import type { AgentEvent } from '../core/index.ts';
import { encodeEvent, eventSchema, fromWire, toWire } from './index.ts';

const envelope = { sessionId: 's1', seq: 7, ts: 12.5 };
const anything = fc.oneof(...eventTypes.map(anyEvent));

for (const type of eventTypes) {
  verifies('wire/round-trip', `any ${type}`, () =>
    fc.assert(
      fc.property(anyEvent(type), (event) => {
        const parsed = eventSchema.parse(JSON.parse(encodeEvent(event)));
        expect(fromWire(parsed)).toEqual(event);
      }),
    ),
  );
}

verifies('wire/shape', 'the schemas know every type of event, and no field that toWire does not write', () => {
  fc.assert(
    fc.property(anything, (event) => {
      expect(eventSchema.parse(toWire(event))).toEqual(toWire(event));
    }),
  );
});

verifies('wire/shape', 'a message is the event, with calls as OpenAI writes them', () => {
  const message = {
    role: 'assistant',
    id: 'm1',
    content: 'Reading.',
    toolCalls: [{ id: 'c1', name: 'read_file', arguments: '{"path":"a"}' }],
    metadata: { camelCase: 1 },
  } as const;
  expect(toWire({ type: 'message', ...envelope, agentName: 'main', message })).toEqual({
    type: 'message',
    session_id: 's1',
    seq: 7,
    ts: 12.5,
    agent_name: 'main',
    message_id: 'm1',
    role: 'assistant',
    content: 'Reading.',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }],
    metadata: { camelCase: 1 },
  });
});

verifies('wire/shape', 'a result carries both ids, its output, its error and its data', () => {
  const error = { code: 'failed', message: 'no', retryable: false, hint: 'ask' } as const;
  const result = { callId: 'c1', name: 'a', content: 'no', data: { exitCode: 1 }, error, durationMs: 3 };
  expect(toWire({ type: 'tool_result', ...envelope, parentCallId: 'p', result, step: 2 })).toEqual({
    type: 'tool_result',
    session_id: 's1',
    seq: 7,
    ts: 12.5,
    parent_call_id: 'p',
    id: 'c1',
    tool_call_id: 'c1',
    name: 'a',
    output: 'no',
    is_error: true,
    error,
    metadata: { exitCode: 1 },
    step: 2,
    duration_ms: 3,
  });
});

verifies('wire/shape', 'the schema refuses what is not an event, and says where', () => {
  expect(eventSchema.safeParse({ type: 'nothing' }).success).toBe(false);
  const { seq, ...rest } = toWire({ type: 'text_delta', ...envelope, text: 'a' });
  expect(eventSchema.safeParse(rest).error?.issues[0]?.path).toEqual(['seq']);
});

verifies('wire/lines', 'one line end, at the end, also for readers that know more of them', () => {
  const text = 'a\nb\r\nc\u2028d\u2029e\u0085f\ud800';
  const line = encodeEvent({ type: 'text_delta', ...envelope, text });
  expect(line.match(/[\n\r\u2028\u2029\u0085]/g)).toEqual(['\n']);
  expect(line.endsWith('\n')).toBe(true);
  expect(JSON.parse(line).text).toBe(text);
});

verifies('wire/lines', 'data that JSON cannot carry is named, and the rest arrives', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  for (const data of [circle, { big: 1n }]) {
    const result = { callId: 'c1', name: 'a', content: 'fine', data, durationMs: 3 };
    const event: AgentEvent = { type: 'tool_result', ...envelope, result, step: 1 };
    const parsed = eventSchema.parse(JSON.parse(encodeEvent(event)));
    expect(parsed).toMatchObject({ output: 'fine', tool_call_id: 'c1', metadata: expect.stringContaining('not JSON') });
  }
});
