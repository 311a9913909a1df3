import fc from 'fast-check';
import type { AgentEvent, Content, EventBody, Message } from '../../src/core/index.ts';
import { CALL_ERROR_CODES } from '../../src/core/index.ts';

const text = fc.string({ unit: 'binary', maxLength: 20 });
const count = fc.nat({ max: 1_000_000 });
const name = fc.stringMatching(/^[a-z_]{1,12}$/);
const optional = <T>(key: string, value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc.oneof(
    fc.constant({}),
    value.map((one) => ({ [key]: one })),
  );
const joined = <T>(...parts: fc.Arbitrary<object>[]): fc.Arbitrary<T> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as T);

/** JSON values that come back as they went. */
/** A key `__proto__` does not pass a boundary, on purpose. */
const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value).replaceAll('__proto__', 'proto')) as unknown);
const jsonObject = fc.dictionary(
  name.filter((key) => key !== '__proto__'),
  json,
  { maxKeys: 3 },
);
const content: fc.Arbitrary<Content> = fc.oneof(
  text,
  fc.array(
    fc.oneof(
      fc.record({ type: fc.constant('text' as const), text }),
      fc.record({ type: fc.constant('image' as const), mimeType: fc.constant('image/png'), data: fc.base64String() }),
    ),
    { maxLength: 3 },
  ),
);
const usage = joined<object>(
  optional('inputTokens', count),
  optional('outputTokens', count),
  optional('cachedInputTokens', count),
  optional('reasoningTokens', count),
);
const toolCall = fc.record({ id: name, name, arguments: json.map((value) => JSON.stringify(value)) });
const kept = [fc.record({ id: name }), optional('metadata', jsonObject)];
const role = <R extends string>(value: R) => fc.record({ role: fc.constant(value) });
const message: fc.Arbitrary<Message> = fc.oneof(
  joined<Message>(role('system'), ...kept, fc.record({ content: text })),
  joined<Message>(role('user'), ...kept, fc.record({ content })),
  joined<Message>(
    role('assistant'),
    ...kept,
    fc.record({ content: text }),
    optional('thinking', text),
    optional('toolCalls', fc.array(toolCall, { maxLength: 2 })),
    optional('provider', fc.record({ adapter: name, value: json })),
  ),
  joined<Message>(role('tool'), ...kept, fc.record({ content, toolCallId: name, name, isError: fc.boolean() })),
);
const callError = joined<object>(
  fc.record({ code: fc.constantFrom(...CALL_ERROR_CODES), message: text, retryable: fc.boolean() }),
  optional('hint', text),
);
const result = joined<object>(
  fc.record({ callId: name, name, content, durationMs: count }),
  optional('data', json),
  optional('error', callError),
  optional('stored', fc.record({ id: name, path: text, bytes: count })),
);
const names = fc.array(name, { maxLength: 3 });
const runId = fc.record({ runId: name });
const step = fc.record({ step: count });

/** One arbitrary body for each type of event. */
const bodies: { [Type in EventBody['type']]: fc.Arbitrary<object>[] } = {
  run_start: [runId, fc.record({ model: text })],
  turn_start: [runId, step],
  turn_end: [runId, step, optional('usage', usage), optional('discarded', fc.boolean())],
  run_end: [
    runId,
    fc.record({ reason: fc.constantFrom('stop', 'max_steps', 'length', 'budget', 'cancelled', 'error'), steps: count }),
    fc.record({ usage }),
    optional('error', fc.record({ code: name, message: text })),
  ],
  text_delta: [fc.record({ text })],
  thinking_delta: [fc.record({ text })],
  tool_call_delta: [fc.record({ callId: name, name, text })],
  message: [fc.record({ message })],
  tool_call: [fc.record({ callId: name, name, arguments: json }), step],
  tool_progress: [
    fc.record({ callId: name, text, stream: fc.constantFrom('stdout', 'stderr', 'info') }),
    fc.record({ closed: fc.boolean(), offset: count }),
  ],
  tool_result: [fc.record({ result }), step],
  ask: [
    fc.record({
      ask: joined<object>(
        fc.record({
          id: name,
          kind: fc.constantFrom('permission', 'question', 'elicitation'),
          callId: name,
          tool: name,
          input: json,
          reason: text,
          hash: name,
          suggestions: fc.array(fc.record({ scope: fc.constantFrom('once', 'always'), rule: text, allows: text })),
          createdAt: count,
          expiresAt: count,
        }),
        optional('questions', fc.array(fc.record({ id: name, type: fc.constant('text'), title: text }))),
      ),
    }),
  ],
  ask_resolved: [fc.record({ id: name, outcome: fc.constantFrom('approved', 'unanswered'), by: text })],
  tools_selected: [fc.record({ offered: names, strategy: name, expanded: names, unknown: names })],
  notification: [fc.record({ taskId: name, status: name, text })],
  error: [fc.record({ code: name, message: text, retryable: fc.boolean() })],
  heartbeat: [],
};

export const eventTypes = Object.keys(bodies) as EventBody['type'][];

/** Any event of this type, its place in a session included. A message and its event have one author. */
export function anyEvent(type: EventBody['type']): fc.Arbitrary<AgentEvent> {
  const envelope = joined<object>(
    fc.record({
      type: fc.constant(type),
      sessionId: name,
      seq: count,
      ts: fc.double({ min: 0, max: 1e10, noNaN: true }),
    }),
    optional('agentName', name),
    optional('parentCallId', name),
  );
  return joined<AgentEvent>(envelope, ...bodies[type]).map((event) => {
    if (event.type === 'ask') return { ...event, ask: { ...event.ask, sessionId: event.sessionId } };
    return event.type === 'message' && event.agentName !== undefined
      ? { ...event, message: { ...event.message, agentName: event.agentName } }
      : event;
  });
}
