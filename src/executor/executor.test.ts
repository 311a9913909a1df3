import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import {
  type CallFacts,
  defineTool,
  type EventBody,
  type RawToolCall,
  type Tool,
  type ToolResult,
} from '../core/index.ts';
import { createExecutionSession } from '../testing/execution-session.ts';
import { createVirtualClock, type VirtualClock } from '../testing/virtual-clock.ts';
import { createExecutor } from './executor.ts';
import { createCallHistory } from './repeats.ts';

let counter = 0;
const newId = () => `id${++counter}`;
const anyInput = { type: 'object' } as const;

const echo = defineTool({
  name: 'echo',
  description: 'Says it again.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  traits: { readOnly: true },
  run: (input) => String(input['text']),
});

/** A tool that works for `ms` of virtual time. */
function sleeper(name: string, clock: VirtualClock, ms: number, extra: Partial<Tool> = {}, deaf = false): Tool {
  return {
    name,
    description: 'Works for a while.',
    input: anyInput,
    ...extra,
    run: (_input, context) =>
      new Promise((resolve, reject) => {
        clock.after(ms, () => resolve(`${name} done`));
        if (!deaf) context.signal.addEventListener('abort', () => reject(context.signal.reason));
      }),
  };
}

async function runAll(
  clock: VirtualClock,
  tools: readonly Tool[],
  calls: readonly RawToolCall[],
  overrides: Parameters<typeof createExecutionSession>[1] = {},
) {
  const events: EventBody[] = [];
  const executor = createExecutor({ clock, newId });
  const execution = executor.execute(
    calls,
    createExecutionSession(tools, { ...overrides, emit: (event) => void events.push(event) }),
  );
  let results: readonly ToolResult[] | undefined;
  execution.results.then((value) => {
    results = value;
  });
  await clock.runUntil(() => results !== undefined);
  return { results: results as readonly ToolResult[], events, execution };
}

const call = (name: string, args: unknown = {}, id: unknown = undefined): RawToolCall => ({
  id: id ?? newId(),
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
});

verifies('executor/one-result', 'each call has one result, in call order, whatever becomes of it', async () => {
  const clock = createVirtualClock();
  const thrower = defineTool({
    name: 'thrower',
    description: 'Fails.',
    input: anyInput,
    run: () => {
      throw new Error('broken');
    },
  });
  const { results, events } = await runAll(
    clock,
    [echo, thrower, sleeper('slow', clock, 200_000)],
    [
      call('echo', { text: 'a' }),
      call('thrower'),
      call('nope'),
      call('echo', '{"text":'),
      call('echo', {}),
      call('slow'),
    ],
  );
  expect(results.map((result) => result.error?.code)).toEqual([
    undefined,
    'failed',
    'unknown_tool',
    'invalid_json',
    'invalid_input',
    'timeout',
  ]);
  const told = events.filter((event) => event.type === 'tool_result');
  expect(told).toHaveLength(6);
  for (const result of results) expect(result.content.length).toBeGreaterThan(0);
});

verifies(
  'EXEC-01',
  'a cancel in the middle settles each call once: done, running cancel, running block, not started',
  async () => {
    const clock = createVirtualClock();
    const controller = new AbortController();
    const disk = [{ key: 'disk', mode: 'write' as const }];
    const tools = [
      sleeper('fast', clock, 10, { traits: { readOnly: true }, claims: () => [] }),
      sleeper('stoppable', clock, 5_000, { traits: { readOnly: true }, claims: () => [] }),
      sleeper('careful', clock, 3_000, { claims: () => disk }),
      sleeper('later', clock, 10, { claims: () => disk }),
    ];
    clock.after(100, () => controller.abort());
    const { results } = await runAll(clock, tools, [call('fast'), call('stoppable'), call('careful'), call('later')], {
      signal: controller.signal,
    });
    expect(results.map((result) => result.error?.code)).toEqual([undefined, 'cancelled', undefined, 'cancelled']);
    expect(results[3]?.content).toContain('did not run');
  },
);

verifies(
  'executor/cancel-deaf',
  'a deaf tool is settled 200 ms after the cancel and what it says later is dropped',
  async () => {
    const clock = createVirtualClock();
    const controller = new AbortController();
    const deaf = sleeper('deaf', clock, 60_000, { traits: { readOnly: true } }, true);
    const began = clock.now();
    clock.after(100, () => controller.abort());
    const { results, events } = await runAll(clock, [deaf], [call('deaf')], { signal: controller.signal });
    expect(clock.now() - began).toBe(300);
    expect(results[0]?.error?.code).toBe('cancelled');
    await clock.advance(60_000);
    expect(events.filter((event) => event.type === 'tool_result')).toHaveLength(1);
  },
);

verifies('executor/force', 'a second cancel settles a running block call as uncertain', async () => {
  const clock = createVirtualClock();
  const first = new AbortController();
  const second = new AbortController();
  clock.after(100, () => first.abort());
  clock.after(200, () => second.abort());
  const began = clock.now();
  const { results } = await runAll(clock, [sleeper('writer', clock, 50_000)], [call('writer')], {
    signal: first.signal,
    forceSignal: second.signal,
  });
  expect(results[0]?.error?.code).toBe('uncertain');
  expect(clock.now() - began).toBe(200);
});

verifies(
  'executor/stuck',
  'a later conflicting call gives up five seconds after its predecessor settled without ending',
  async () => {
    const clock = createVirtualClock();
    const deaf = sleeper('deaf', clock, 600_000, { traits: { timeoutMs: 1_000 } }, true);
    const next = sleeper('next', clock, 10);
    const free = sleeper('free', clock, 10, { claims: () => [] });
    const { results } = await runAll(clock, [deaf, next, free], [call('deaf'), call('next'), call('free')]);
    expect(results.map((result) => result.error?.code)).toEqual(['timeout', 'unavailable', undefined]);
    expect(results[1]?.content).toContain('deaf');
  },
);

verifies('executor/claims', 'conflicting calls run in call order, others at once', async () => {
  const clock = createVirtualClock();
  const log: string[] = [];
  const worker = (name: string, key: string, mode: 'read' | 'write'): Tool =>
    defineTool({
      name,
      description: 'Logs.',
      input: anyInput,
      claims: () => [{ key, mode }],
      run: async () => {
        log.push(`${name}+`);
        await new Promise<void>((resolve) => void clock.after(100, resolve));
        log.push(`${name}-`);
      },
    });
  const tools = [
    worker('w1', 'file:/a', 'write'),
    worker('r1', 'file:/a/b', 'read'),
    worker('r2', 'file:/a/b', 'read'),
    worker('w2', 'file:/ab', 'write'),
  ];
  await runAll(
    clock,
    tools,
    tools.map((tool) => call(tool.name)),
  );
  expect(log).toEqual(
    ['w1+', 'w2+', 'w1-', 'r1+', 'w2-', 'r2+', 'r1-', 'r2-'].sort((a, b) => log.indexOf(a) - log.indexOf(b)),
  );
  expect(log.indexOf('r1+')).toBeGreaterThan(log.indexOf('w1-'));
  expect(log.indexOf('w2+')).toBeLessThan(log.indexOf('w1-'));
  expect(log.indexOf('r2+')).toBeLessThan(log.indexOf('r1-'));
});

verifies('executor/siblings', 'a failing tool that says so ends its dependants and nobody else', async () => {
  const clock = createVirtualClock();
  const paper = (id: string) => [{ key: `paper:${id}`, mode: 'write' as const }];
  const download = defineTool<{ id: string }>({
    name: 'download',
    description: 'Fails.',
    input: anyInput,
    traits: { abortsSiblings: 'dependants' },
    claims: ({ id }) => paper(id),
    run: async () => {
      await new Promise<void>((resolve) => void clock.after(50, resolve));
      throw new Error('no such paper');
    },
  });
  const parse = defineTool<{ id: string }>({
    name: 'parse',
    description: 'Parses.',
    input: anyInput,
    claims: ({ id }) => paper(id),
    run: () => 'parsed',
  });
  const calls = [
    call('download', { id: '1' }),
    call('parse', { id: '1' }),
    call('parse', { id: '2' }),
    call('echo', { text: 'x' }),
  ];
  const { results } = await runAll(clock, [download, parse, echo], calls);
  expect(results.map((result) => result.error?.code)).toEqual(['failed', 'sibling_aborted', undefined, undefined]);
  expect(results[1]?.content).toContain('automatic');
});

verifies(
  'EXEC-03',
  'empty, null, number, blank and repeated ids become unique, and each result carries its own',
  async () => {
    const clock = createVirtualClock();
    const ids = ['call_1', 'call_1', '', null, 7, '  '];
    const calls = ids.map((id, index) => ({ id, name: 'echo', arguments: JSON.stringify({ text: `t${index}` }) }));
    const { results, events } = await runAll(clock, [echo], calls);
    expect(new Set(results.map((result) => result.callId)).size).toBe(6);
    expect(results.map((result) => result.content)).toEqual(['t0', 't1', 't2', 't3', 't4', 't5']);
    const announced = events.flatMap((event) => (event.type === 'tool_call' ? [event.callId] : []));
    expect(announced).toEqual(results.map((result) => result.callId));
  },
);

verifies(
  'EXEC-05',
  'the third equal call in a row is answered, key order and blanks aside; another call between resets',
  async () => {
    const clock = createVirtualClock();
    const history = createCallHistory();
    const tool = defineTool({
      name: 'same',
      description: 'x',
      input: anyInput,
      traits: { readOnly: true },
      run: () => 'equal at 12:30:01',
    });
    const poll: Tool = { ...tool, name: 'poll', traits: { readOnly: true, polling: true } } as Tool;
    const turn = async (...calls: RawToolCall[]) =>
      (await runAll(clock, [tool, poll, echo], calls, { history })).results.map((r) => r.error?.code);
    expect(await turn(call('same', '{"a":1,"b":2}'))).toEqual([undefined]);
    expect(await turn(call('same', '{"b":2,"a":1}'))).toEqual([undefined]);
    expect(await turn(call('same', '{ "a": 1, "b": 2 }'))).toEqual(['duplicate_call']);
    expect(await turn(call('echo', { text: 'between' }))).toEqual([undefined]);
    expect(await turn(call('same', '{"a":1,"b":2}'))).toEqual([undefined]);
    for (let i = 0; i < 5; i++) expect(await turn(call('poll'))).toEqual([undefined]);
    expect(await turn(call('same', { n: 1 }), call('same', { n: 1 }), call('same', { n: 1 }))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  },
);

verifies('EXEC-05', 'a cycle of two is answered at its third round', async () => {
  const clock = createVirtualClock();
  const history = createCallHistory();
  const turn = async (text: string) =>
    (await runAll(clock, [echo], [call('echo', { text })], { history })).results[0]?.error?.code;
  for (const text of ['a', 'b', 'a', 'b']) expect(await turn(text)).toBeUndefined();
  expect(await turn('a')).toBe('duplicate_call');
  expect(await turn('b')).toBe('duplicate_call');
  expect(await turn('c')).toBeUndefined();
});

verifies('EXEC-06', 'no more than sixteen leaf calls at once, and all of 250 are answered', async () => {
  const clock = createVirtualClock();
  let now = 0;
  let most = 0;
  const busy = defineTool({
    name: 'busy',
    description: 'x',
    input: anyInput,
    claims: () => [],
    run: async () => {
      most = Math.max(most, ++now);
      await new Promise<void>((resolve) => void clock.after(10, resolve));
      now--;
    },
  });
  const { results } = await runAll(
    clock,
    [busy],
    Array.from({ length: 250 }, () => call('busy')),
  );
  expect(results).toHaveLength(250);
  expect(results.every((result) => !result.error)).toBe(true);
  expect(most).toBe(16);
});

verifies('executor/output', 'a value that breaks the output schema is failed with the pointer', async () => {
  const clock = createVirtualClock();
  const bad = defineTool({
    name: 'bad',
    description: 'x',
    input: anyInput,
    output: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    run: () => ({ n: 'one' }),
  });
  const { results } = await runAll(clock, [bad], [call('bad')]);
  expect(results[0]?.error?.code).toBe('failed');
  expect(results[0]?.content).toContain('/n');
});

verifies('executor/bound', 'a long output becomes a stub, and the stored text is the whole of it', async () => {
  const clock = createVirtualClock();
  const long = Array.from({ length: 5_000 }, (_, i) => `line ${i} of the output`).join('\n');
  const tool = defineTool({ name: 'long', description: 'x', input: anyInput, run: () => long });
  const session = createExecutionSession([tool]);
  const results = await createExecutor({ clock, newId }).execute([call('long', {}, 'c1')], session).results;
  expect(results[0]?.content.length).toBeLessThan(4_096);
  expect(results[0]?.content).toContain('<persisted-output>');
  expect(results[0]?.stored?.path).toBe('outputs/c1.txt');
  expect(Buffer.from(await session.context.outputs.read('outputs/c1.txt')).toString()).toBe(long);
});

verifies('executor/facts', 'a deny by the policy is the result, and the tool is not run', async () => {
  const clock = createVirtualClock();
  let ran = false;
  const tool = defineTool({
    name: 'danger',
    description: 'x',
    input: anyInput,
    run: () => {
      ran = true;
    },
  });
  const seen: CallFacts[] = [];
  const policy = {
    mode: 'open' as const,
    decide: ({ facts }: { facts: CallFacts }) => {
      seen.push(facts);
      return { effect: 'deny' as const, reason: 'no', rule: 'danger', layer: 'rules' as const };
    },
  };
  const { results } = await runAll(clock, [tool], [call('danger')], { policy });
  expect(results[0]?.error?.code).toBe('denied');
  expect(ran).toBe(false);
  expect(seen[0]?.claims).toEqual([{ key: '', mode: 'write' }]);
});

verifies('REG-03', 'an input that is no object is taken out of the shape that the model was shown', async () => {
  const clock = createVirtualClock();
  const list: Tool = {
    name: 'list',
    description: 'x',
    input: { type: 'array', items: { type: 'string' } },
    run: (input) => JSON.stringify(input),
  };
  const { results } = await runAll(clock, [list], [call('list', { input: ['a', 'b'] }), call('list', { input: [1] })]);
  expect(results[0]?.content).toBe('["a","b"]');
  expect(results[1]?.error?.code).toBe('invalid_input');
});
