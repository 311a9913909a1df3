import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import {
  checkTranscript,
  defineTool,
  type EventBody,
  type Message,
  type Model,
  type ModelEvent,
  type ModelRequest,
  systemClock,
  type Tool,
} from '../core/index.ts';
import { createExecutor } from '../executor/index.ts';
import { createExecutionSession } from '../testing/execution-session.ts';
import { createVirtualClock } from '../testing/virtual-clock.ts';
import { runLoop } from './loop.ts';

type Step = (ModelEvent | (() => Promise<void> | void))[];

/** A model that plays one list of events a request; a function among them is awaited first. */
function playing(...replies: Step[]): Model & { requests: ModelRequest[]; histories: Message[][] } {
  const requests: ModelRequest[] = [];
  const histories: Message[][] = [];
  return {
    id: 'test/model',
    requests,
    histories,
    async *stream(request) {
      requests.push(request);
      histories.push([...request.messages]);
      for (const item of replies[requests.length - 1] ?? [{ type: 'model_end', reason: 'stop' } as const]) {
        if (typeof item === 'function') await item();
        else yield item;
      }
    },
  };
}

const good = (reason: 'stop' | 'tool_calls' = 'stop'): ModelEvent => ({ type: 'model_end', reason });
const say = (text: string): ModelEvent => ({ type: 'text_delta', text });
const start = (key: number, name: string, id: unknown = `c${key}`): ModelEvent => ({
  type: 'tool_call_start',
  key,
  id,
  name,
});
const delta = (key: number, text: string): ModelEvent => ({ type: 'tool_call_delta', key, text });

function toolsWith(log: string[]): Tool[] {
  const make = (name: string, readOnly: boolean) =>
    defineTool({
      name,
      description: 'Logs its input.',
      input: { type: 'object' },
      traits: { readOnly },
      claims: () => [],
      run: (input) => {
        log.push(`${name} ${JSON.stringify(input)}`);
        return `${name} ok`;
      },
    });
  return [make('look', true), make('change', false)];
}

let counter = 0;
async function play(
  model: Model,
  tools: Tool[],
  options: { signal?: AbortSignal; clock?: typeof systemClock; fallback?: Model; onPut?: () => Promise<void> } = {},
) {
  const messages: Message[] = [{ role: 'user', id: 'u1', content: 'go' }];
  const put = async (batch: readonly Message[]) => {
    await options.onPut?.();
    for (const message of batch) {
      const at = messages.findIndex((known) => known.id === message.id);
      if (at < 0) messages.push(message);
      else messages[at] = message;
    }
  };
  const events: EventBody[] = [];
  const clock = options.clock ?? systemClock;
  const newId = () => `n${counter++}`;
  const {
    info,
    context,
    policy,
    signal,
    tools: set,
  } = createExecutionSession(tools, options.signal ? { signal: options.signal } : {});
  const end = await runLoop({
    runId: 'r1',
    model,
    ...(options.fallback ? { fallback: options.fallback } : {}),
    executor: createExecutor({ clock, newId }),
    session: { info, context, policy, signal, tools: set },
    tools: () => set.definitions(),
    transcript: {
      messages,
      usedCallIds: new Set(),
      put,
      putSoon: put,
    },
    emit: (event) => void events.push(event),
    maxSteps: 10,
    clock,
    newId,
  });
  expect(checkTranscript(messages)).toEqual([]);
  expect(events.filter((event) => event.type === 'run_end')).toHaveLength(1);
  expect(events.at(-1)?.type).toBe('run_end');
  return { end, messages, events };
}

const results = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === 'tool' ? [`${message.toolCallId}: ${message.content}`] : []));

verifies(
  'agent/early-dispatch',
  'a read-only call runs at its closing brace, the last one too, while the stream stays open',
  async () => {
    const log: string[] = [];
    const seen: string[][] = [];
    const look = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      seen.push([...log]);
    };
    const model = playing(
      [start(0, 'look'), delta(0, '{"a":'), look, delta(0, '1}'), look, good('tool_calls')],
      [say('done'), good()],
    );
    const { end } = await play(model, toolsWith(log));
    expect(seen).toEqual([[], ['look {"a":1}']]);
    expect(end).toMatchObject({ reason: 'stop', steps: 2 });
  },
);

verifies('agent/early-dispatch', 'an effectful call waits for the next call, for text, or for the finish', async () => {
  for (const [after, ranBefore] of [
    [start(1, 'look'), true],
    [say('and now'), true],
    [delta(0, ' '), false],
  ] as const) {
    const log: string[] = [];
    const seen: number[] = [];
    const look = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      seen.push(log.length);
    };
    const tail = after.type === 'tool_call_start' ? [delta(1, '{"b":2}')] : [];
    await play(
      playing([start(0, 'change'), delta(0, '{"a":1}'), look, after, look, ...tail, good('tool_calls')]),
      toolsWith(log),
    );
    expect(seen).toEqual([0, ranBefore ? 1 : 0]);
    expect(log[0]).toBe('change {"a":1}');
  }
});

verifies(
  'agent/early-dispatch',
  'an empty placeholder object runs only after a good finish, interleaved calls in call order',
  async () => {
    const log: string[] = [];
    await play(
      playing([
        start(0, 'look'),
        delta(0, '{}'),
        start(1, 'change'),
        delta(1, '{"x"'),
        delta(0, ''),
        delta(1, ':1}'),
        () => expect(log).toEqual([]),
        good('tool_calls'),
      ]),
      toolsWith(log),
    );
    expect(log).toEqual(['look {}', 'change {"x":1}']);
  },
);

verifies(
  'agent/cut',
  'arguments cut by the output limit are answered, never run, and the model is asked again',
  async () => {
    const log: string[] = [];
    const model = playing(
      [
        start(0, 'look'),
        delta(0, '{"a":1}'),
        start(1, 'change'),
        delta(1, '{"text":"abc'),
        { type: 'model_end', reason: 'length' },
      ],
      [say('ok'), good()],
    );
    const { messages, end } = await play(model, toolsWith(log));
    expect(log).toEqual(['look {"a":1}']);
    expect(results(messages)[1]).toContain('invalid_json');
    expect(end.reason).toBe('stop');
  },
);

verifies('agent/cut', 'a closed effectful call under the output limit is not run either', async () => {
  const log: string[] = [];
  const { messages } = await play(
    playing([start(0, 'change'), delta(0, '{"a":1}'), { type: 'model_end', reason: 'length' }], [good()]),
    toolsWith(log),
  );
  expect(log).toEqual([]);
  expect(results(messages)[0]).toContain('invalid_json');
});

verifies(
  'agent/broken-stream',
  'a stream that breaks after a dispatch keeps what ran and asks again after it',
  async () => {
    const log: string[] = [];
    const clock = createVirtualClock();
    const broken: ModelEvent = {
      type: 'model_end',
      reason: 'error',
      fault: { message: 'socket closed', retryable: true },
    };
    const model = playing(
      [say('first '), start(0, 'look'), delta(0, '{"a":1}'), start(1, 'change'), delta(1, '{"b":'), broken],
      [say('fine'), good()],
    );
    let done = false;
    const run = play(model, toolsWith(log), { clock }).finally(() => {
      done = true;
    });
    await clock.runUntil(() => done);
    const { messages, end, events } = await run;
    expect(log).toEqual(['look {"a":1}']);
    expect(results(messages)).toEqual(['c0: look ok']);
    expect(end.reason).toBe('stop');
    expect(model.histories[1]?.map((message) => message.role)).toEqual(['user', 'assistant', 'tool']);
    expect(events.some((event) => event.type === 'turn_end' && event.discarded)).toBe(false);
  },
);

verifies(
  'agent/broken-stream',
  'before any dispatch the turn is asked again and its text is void; then the fallback; then an error',
  async () => {
    const clock = createVirtualClock();
    const broken: Step = [
      say('lost'),
      { type: 'model_end', reason: 'error', fault: { message: 'overloaded', retryable: true } },
    ];
    const first = playing(broken, broken, broken, broken);
    const fallback = playing([say('here I am'), good()]);
    let done = false;
    const run = play(first, [], { clock, fallback }).finally(() => {
      done = true;
    });
    await clock.runUntil(() => done);
    const { messages, end, events } = await run;
    expect(first.requests).toHaveLength(4);
    expect(events.filter((event) => event.type === 'turn_end' && event.discarded)).toHaveLength(4);
    expect(messages.map((message) => message.content)).toEqual(['go', 'here I am']);
    expect(end).toMatchObject({ reason: 'stop', steps: 1 });
  },
);

verifies('agent/broken-stream', 'a fault that will not pass ends the run with an error', async () => {
  const model = playing([
    { type: 'model_end', reason: 'error', fault: { message: 'bad key', retryable: false, status: 401 } },
  ]);
  const { end, events } = await play(model, []);
  expect(end).toMatchObject({ reason: 'error', error: { code: 'unavailable', message: 'bad key' } });
  expect(events.map((event) => event.type)).toContain('error');
});

verifies('agent/mismatch', 'arguments that arrive after the call ran are told in its result', async () => {
  const log: string[] = [];
  const { messages } = await play(
    playing([start(0, 'look'), delta(0, '{"x":1}'), delta(0, '{"x":2}'), good('tool_calls')], [good()]),
    toolsWith(log),
  );
  expect(log).toEqual(['look {"x":1}']);
  expect(results(messages)[0]).toContain('{"x":2}');
});

verifies('agent/ids', 'ids repeated inside a turn and over turns are made unique', async () => {
  const reply: Step = [
    start(0, 'look', 'same'),
    delta(0, '{"n":1}'),
    start(1, 'look', 'same'),
    delta(1, '{"n":2}'),
    start(2, 'look', null),
    delta(2, '{"n":3}'),
    good('tool_calls'),
  ];
  const { messages } = await play(playing(reply, reply, [say('end'), good()]), toolsWith([]));
  const ids = messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : []));
  expect(new Set(ids).size).toBe(6);
});

verifies(
  'agent/cancel',
  'a cancel in mid-stream ends the run with what was said and every dispatched call answered',
  async () => {
    const controller = new AbortController();
    const log: string[] = [];
    const model = playing([
      say('thinking about it'),
      start(0, 'look'),
      delta(0, '{"a":1}'),
      () => controller.abort(),
      () => new Promise(() => {}),
    ]);
    const { end, messages } = await play(model, toolsWith(log), { signal: controller.signal });
    expect(end.reason).toBe('cancelled');
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool']);
  },
);

verifies('agent/max-steps', 'the run ends when the steps are used up', async () => {
  let n = 0;
  const reply = (): Step => [start(0, 'look', `x${n}`), delta(0, JSON.stringify({ n: n++ })), good('tool_calls')];
  const { end } = await play(playing(...Array.from({ length: 12 }, reply)), toolsWith([]));
  expect(end).toMatchObject({ reason: 'max_steps', steps: 10 });
});

verifies('EXEC-01', 'a cancel while the reply is being written still answers the calls that stand in it', async () => {
  for (const cancelAt of [1, 2, 3]) {
    const controller = new AbortController();
    const log: string[] = [];
    let puts = 0;
    const onPut = async () => {
      if (++puts === cancelAt) controller.abort();
      await new Promise((resolve) => setTimeout(resolve, 1));
    };
    const call = (key: number) => [start(key, 'look'), delta(key, `{"n":${key}}`)];
    const model = playing([...call(0), ...call(1), ...call(2), good('tool_calls')]);
    const { end, messages, events } = await play(model, toolsWith(log), { signal: controller.signal, onPut });
    expect(end.reason).toBe('cancelled');
    const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
    expect(results(messages)).toHaveLength(calls.length);
    expect(events.filter((event) => event.type === 'tool_result')).toHaveLength(calls.length);
    expect(calls.length).toBeGreaterThanOrEqual(cancelAt);
  }
});
