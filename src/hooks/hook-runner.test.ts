import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { Hook, HookCall, Tool, ToolResult } from '../core/index.ts';
import { createExecutor } from '../executor/index.ts';
import { createExecutionSession } from '../testing/execution-session.ts';
import { createVirtualClock, type VirtualClock } from '../testing/virtual-clock.ts';
import { createHookRunner } from './index.ts';

const callOf = (name: string, input: unknown, signal = new AbortController().signal): HookCall => ({
  id: 'c1',
  name,
  input,
  facts: {
    readOnly: false,
    claims: [],
    declared: false,
    paths: [],
    hosts: [],
    commands: [],
    texts: [],
    permissions: [],
  },
  session: { id: 's', agentName: 'main', interactive: false, thinking: false },
  signal,
});
const resultOf = (content: string): ToolResult => ({ callId: 'c1', name: 'x', durationMs: 1, content });

const runnerOf = (hooks: readonly Hook[], clock = createVirtualClock()) => createHookRunner(hooks, { clock });

const throws = {
  before() {
    throw new Error('boom');
  },
  after: async () => {
    throw new Error('boom');
  },
} satisfies Pick<Hook, 'before' | 'after'>;

verifies('HOOK-03', 'each sees the input as the one before left it; a block ends the row', async () => {
  const seen: unknown[] = [];
  const see = (name: string, before: Hook['before']): Hook => ({
    name,
    before(call) {
      seen.push([name, call.input]);
      return before?.(call);
    },
  });
  const runner = runnerOf([
    see('H1', () => ({ input: { path: 'b' }, note: 'a became b' })),
    see('H2', () => undefined),
    see('H3', ({ input }) => ((input as { path: string }).path === 'b' ? { block: 'no b' } : undefined)),
    see('H4', () => ({ input: { path: 'c' } })),
  ]);
  const verdict = await runner.before(callOf('x', { path: 'a' }));
  expect(seen).toEqual([
    ['H1', { path: 'a' }],
    ['H2', { path: 'b' }],
    ['H3', { path: 'b' }],
  ]);
  expect(verdict).toEqual({
    input: { path: 'b' },
    changed: true,
    block: { hook: 'H3', reason: 'no b' },
    notes: ['a became b'],
    failures: [],
  });
});

/** One call through the whole executor. */
async function execute(clock: VirtualClock, hooks: readonly Hook[], run: Tool['run'], input: unknown = { path: 'a' }) {
  const abort = new AbortController();
  const tool: Tool = {
    name: 'x',
    description: 'Takes a path.',
    input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    traits: { readOnly: true, timeoutMs: 1_000 },
    run,
  };
  const session = createExecutionSession([tool], { hooks: createHookRunner(hooks, { clock }), signal: abort.signal });
  const call = { id: 'c1', name: 'x', arguments: JSON.stringify(input) };
  const { results } = createExecutor({ clock, newId: () => 'id' }).execute([call], session);
  let all: readonly ToolResult[] | undefined;
  results.then((value) => {
    all = value;
  });
  return {
    abort,
    async result(): Promise<ToolResult | undefined> {
      await clock.runUntil(() => all !== undefined);
      expect(all).toHaveLength(1);
      return all?.[0];
    },
  };
}

verifies('HOOK-03', 'an input that fits no more is an error of the call, and the tool does not run', async () => {
  let ran = 0;
  const mutate: Hook = { name: 'mutate', before: () => ({ input: { path: 5 } }) };
  const run = await execute(createVirtualClock(), [mutate], () => `${++ran}`);
  expect((await run.result())?.error).toMatchObject({ code: 'invalid_input' });
  expect(ran).toBe(0);
});

verifies('HOOK-03', 'every result passes the after hooks exactly once', async () => {
  const forever = (_input: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const fails = () => {
    throw new Error('broken');
  };
  for (const [run, input, code] of [
    [() => 'fine', { path: 'a' }, undefined],
    [fails, { path: 'a' }, 'failed'],
    [forever, { path: 'a' }, 'timeout'],
    [() => 'never', { path: 1 }, 'invalid_input'],
  ] as const) {
    const seen: ToolResult[] = [];
    const observe: Hook = {
      name: 'observe',
      after(_call, result) {
        seen.push(result);
        return { note: 'seen' };
      },
    };
    const result = await (await execute(createVirtualClock(), [observe], run, input)).result();
    expect(result?.error?.code).toBe(code);
    expect(result?.content).toContain('[note] seen');
    expect(seen.map((each) => each.error?.code)).toEqual([code]);
  }
});

verifies('HOOK-03', 'an aborted call passes them too', async () => {
  const clock = createVirtualClock();
  let seen = 0;
  const observe: Hook = { name: 'observe', after: () => void seen++ };
  const run = await execute(clock, [observe], () => new Promise(() => {}));
  await clock.advance(10);
  run.abort.abort();
  expect((await run.result())?.error?.code).toBe('cancelled');
  expect(seen).toBe(1);
});

verifies('HOOK-03', 'a hook that throws loses no result; one that changes an error changes what is seen', async () => {
  const mend: Hook = {
    name: 'mend',
    after: (_call, { error }) => (error ? { output: { content: 'mended' } } : undefined),
  };
  const run = await execute(createVirtualClock(), [{ name: 'bad', after: throws.after }, mend], () => {
    throw new Error('broken');
  });
  const result = await run.result();
  expect(result?.content).toBe('mended');
  expect(result?.error).toBeUndefined();
});

verifies('HOOK-03', 'a blocked call keeps the notes that were made of it', async () => {
  const hooks: Hook[] = [
    { name: 'teach', before: () => ({ note: 'use the other tool' }) },
    { name: 'stop', before: () => ({ block: 'not today' }) },
  ];
  const result = await (await execute(createVirtualClock(), hooks, () => 'ran')).result();
  expect(result?.error).toMatchObject({ code: 'blocked' });
  expect(result?.content).toContain('not today');
  expect(result?.content).toContain('[note] use the other tool');
});

verifies('hooks/match', 'by name, alias, prefix, list and test', async () => {
  const canonical = (name: string) => (name === 'Bash' ? 'run_bash' : name);
  const has = (match: Hook['match'], name: string) =>
    createHookRunner([{ name: 'h', ...(match === undefined ? {} : { match }) }], {
      clock: createVirtualClock(),
      canonical,
    }).has(name);
  expect(has(undefined, 'x')).toBe(true);
  expect(has('x', 'x')).toBe(true);
  expect(has('x', 'xy')).toBe(false);
  expect(has('mcp__*', 'mcp__a__b')).toBe(true);
  expect(has(['a', 'Bash'], 'run_bash')).toBe(true);
  expect(has(['a', 'Bash'], 'b')).toBe(false);
  expect(has([], 'x')).toBe(false);
  expect(has((name) => name.length === 3, 'abc')).toBe(true);
  expect(runnerOf([]).has('x')).toBe(false);
  const runner = runnerOf([{ name: 'h', match: 'other', before: () => ({ block: 'no' }) }]);
  expect((await runner.before(callOf('x', {}))).block).toBeUndefined();
});

verifies('hooks/verdict', 'asks, allows and notes are joined', async () => {
  const runner = runnerOf([
    { name: 'a', before: () => ({ allow: 'known' }) },
    { name: 'b', before: async () => ({ ask: 'sure?' }) },
    { name: 'c', before: () => ({ note: 'one' }) },
    { name: 'd', before: () => ({ ask: 'really?' }) },
    { name: 'e', before: () => ({ note: 'two' }) },
    { name: 'f', after: () => undefined },
  ]);
  expect(await runner.before(callOf('x', { a: 1 }))).toEqual({
    input: { a: 1 },
    changed: false,
    ask: { hook: 'b', reason: 'sure?' },
    allow: { hook: 'a', reason: 'known' },
    notes: ['one', 'two'],
    failures: [],
  });
});

verifies('hooks/failure', 'a before hook that fails denies, unless it is an observer', async () => {
  const nonsense = () => 'yes' as never;
  for (const before of [throws.before, nonsense] as const) {
    const denied = await runnerOf([{ name: 'judge', before }]).before(callOf('x', {}));
    expect(denied.block).toMatchObject({ hook: 'judge' });
    const observers: Hook[] = [
      { name: 'observer', onFailure: 'continue', before },
      { name: 'next', before: () => ({ note: 'heard' }) },
    ];
    const passed = await runnerOf(observers).before(callOf('x', {}));
    expect(passed.block).toBeUndefined();
    expect(passed.notes).toEqual(['heard']);
    expect(passed.failures).toHaveLength(1);
  }
});

verifies('hooks/failure', 'it is not waited for longer than its time, and a late answer is dropped', async () => {
  for (const [timeoutMs, waits] of [
    [1_000, 1_000],
    [undefined, 60_000],
  ] as const) {
    const clock = createVirtualClock();
    let answer = (_outcome: { input: unknown }) => {};
    const slow: Hook = {
      name: 'slow',
      onFailure: 'continue',
      before: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    };
    const logged: string[] = [];
    const runner = createHookRunner([slow], { clock, log: (level, message) => logged.push(`${level} ${message}`) });
    const verdict = runner.before(callOf('x', 'as it was'));
    let done = false;
    verdict.then(() => {
      done = true;
    });
    await clock.advance(waits - 1);
    expect(done).toBe(false);
    await clock.advance(1);
    expect(done).toBe(true);
    answer({ input: 'too late' });
    expect(await verdict).toMatchObject({ input: 'as it was', changed: false });
    expect(logged).toEqual([`warn the hook slow failed before x: it did not answer within ${waits} ms`]);
    expect(clock.pending).toBe(0);
  }
});

verifies('hooks/failure', 'a quick answer leaves no timer behind', async () => {
  const clock = createVirtualClock();
  await runnerOf([{ name: 'a', before: () => undefined, after: () => undefined }], clock).before(callOf('x', {}));
  expect(clock.pending).toBe(0);
});

verifies('hooks/failure', 'a cancelled run does not wait for a hook, and the call does not run', async () => {
  const abort = new AbortController();
  const hook: Hook = { name: 'deaf', onFailure: 'continue', before: () => new Promise(() => {}) };
  const verdict = runnerOf([hook]).before(callOf('x', {}, abort.signal));
  abort.abort();
  expect((await verdict).block).toMatchObject({ hook: 'deaf' });
});

verifies('hooks/after', 'each sees the result as changed before it; notes and metrics are joined', async () => {
  const seen: unknown[] = [];
  const runner = runnerOf([
    { name: 'a', after: () => ({ output: { content: 'two' }, metrics: { n: 1, m: 1 }, note: 'first' }) },
    {
      name: 'b',
      after(_call, result) {
        seen.push(result);
        return { metrics: { n: 2 }, note: 'second' };
      },
    },
    { name: 'c', before: () => undefined },
  ]);
  expect(await runner.after(callOf('x', {}), resultOf('one'))).toEqual({
    output: { content: 'two' },
    metrics: { n: 2, m: 1 },
    notes: ['first', 'second'],
    failures: [],
  });
  expect(seen).toEqual([{ callId: 'c1', name: 'x', durationMs: 1, content: 'two' }]);
});

verifies('hooks/after', 'an observer that fails is passed over; one that must pass a result withholds it', async () => {
  const observer: Hook = { name: 'observer', ...throws };
  expect(await runnerOf([observer]).after(callOf('x', {}), resultOf('secret'))).toMatchObject({
    failures: ['observer: boom'],
    notes: [],
  });
  const judge: Hook = { name: 'judge', onFailure: 'deny', ...throws };
  const { output } = await runnerOf([judge]).after(callOf('x', {}), resultOf('secret'));
  expect(output?.error?.code).toBe('blocked');
  expect(output?.content).not.toContain('secret');
});

verifies('HOOK-03', 'what a hook changes in place is not what runs', async () => {
  const seen: unknown[] = [];
  const changes: Hook = {
    name: 'H1',
    before(call) {
      (call.input as { path: string }).path = '/etc';
    },
  };
  const sees: Hook = { name: 'H2', before: (call) => void seen.push(call.input) };
  const input = { path: 'a' };
  const verdict = await runnerOf([changes, sees]).before(callOf('x', input));
  expect(verdict).toMatchObject({ changed: false, input: { path: 'a' } });
  expect(seen).toEqual([{ path: 'a' }]);
});

verifies('HOOK-03', 'an output without content does not cost the call its result', async () => {
  for (const output of [5, 'text', {}, { content: null }, { content: ['a'] }]) {
    const odd: Hook = { name: 'odd', after: () => ({ output: output as never, note: 'n' }) };
    const verdict = await runnerOf([odd]).after(callOf('x', {}), resultOf('kept'));
    expect(verdict.output).toBeUndefined();
    expect(verdict.failures).toEqual(['odd: its output has no content, which is a text or a list of parts']);
  }
});
