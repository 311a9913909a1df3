import { expect } from 'vitest';
import { z } from 'zod';
import { verifies } from '../../test/verifies.ts';
import {
  type AskAnswer,
  type EventBody,
  type ExecutionSession,
  type RawToolCall,
  type Tool,
  type ToolResult,
  ToolwrightError,
} from '../core/index.ts';
import { createExecutionSession } from '../testing/execution-session.ts';
import { createVirtualClock } from '../testing/virtual-clock.ts';
import { createExecutor } from './executor.ts';

const tool = (name: string, run: Tool['run'], extra: Partial<Tool> = {}): Tool => ({
  name,
  description: 'Does something odd.',
  input: { type: 'object' },
  traits: { readOnly: true },
  run,
  ...extra,
});
const never = () => new Promise<never>(() => {});

/** Runs one call of each tool; `during` is called once all are under way. */
async function runEach(
  tools: readonly Tool[],
  overrides: Partial<ExecutionSession> = {},
  during: () => void = () => {},
  ms = 0,
) {
  const clock = createVirtualClock();
  let ids = 0;
  const executor = createExecutor({ clock, newId: () => `id${++ids}` });
  const events: EventBody[] = [];
  const calls = tools.map(({ name }): RawToolCall => ({ id: name, name, arguments: '{"n":"1"}' }));
  const session = createExecutionSession(tools, { ...overrides, emit: (event) => void events.push(event) });
  let results: readonly ToolResult[] | undefined;
  const execution = executor.execute(calls, session);
  execution.results.then((value) => {
    results = value;
  });
  for (let i = 0; i < 20; i++) await Promise.resolve();
  during();
  await clock.advance(ms);
  await clock.runUntil(() => results !== undefined);
  const found = results as readonly ToolResult[] | undefined;
  expect(found?.map((result) => result.callId)).toEqual(tools.map(({ name }) => name));
  for (const type of ['tool_call', 'tool_result']) {
    expect(events.filter((event) => event.type === type)).toHaveLength(tools.length);
  }
  return { results: found as readonly ToolResult[], events };
}

const codes = (results: readonly ToolResult[]) => results.map((result) => result.error?.code ?? 'ok');

verifies('executor/one-result', 'a fault in schema, traits or transform keeps the name and is announced', async () => {
  const fails = () => {
    throw new Error('fails');
  };
  const tools = [
    tool('trait', () => 'x', { traits: { readOnly: fails } }),
    tool('transform', () => 'x', { input: z.object({ n: z.string().transform(fails) }) }),
    tool('schema', () => 'x', { input: { type: 'strng' } }),
  ];
  const { results } = await runEach(tools);
  expect(codes(results)).toEqual(['internal', 'internal', 'internal']);
  expect(results.map((result) => result.name)).toEqual(['trait', 'transform', 'schema']);
});

verifies('executor/one-result', 'an input that JSON cannot hold is told as one that it can', async () => {
  const ring: Record<string, unknown> = {};
  ring['ring'] = ring;
  const big = tool('big', (input) => typeof (input as { n: bigint }).n, {
    input: z.object({ n: z.string().transform((text) => BigInt(text)) }),
  });
  const round = tool('round', () => 'ran', { input: z.object({}).transform(() => ring) });
  const { results, events } = await runEach([big, round]);
  expect(results.map((result) => result.content)).toEqual(['bigint', 'ran']);
  const told = events.flatMap((event) => (event.type === 'tool_call' ? [event.arguments] : []));
  expect(told).toEqual([{ n: '1' }, null]);
});

verifies('executor/facts', 'what is no claim, permission or subject is never read as a yes', async () => {
  const says = (extra: object) => tool(Object.keys(extra).join() + counter++, () => 'ran', extra as Partial<Tool>);
  let counter = 0;
  const { results } = await runEach([
    says({ claims: () => [{ key: 'x', mode: 'rw' }] }),
    says({ claims: () => [{ key: 5, mode: 'write' }] }),
    says({ permissions: () => [{ effect: 'DENY', reason: 'no' }] }),
    says({ permissions: () => ({ effect: 'deny', reason: 'no' }) }),
    says({ subjects: () => [{ kind: 'command', value: 5 }] }),
    says({ subjects: async () => [] }),
    says({ permissions: () => undefined, claims: () => null }),
  ]);
  expect(codes(results)).toEqual([...Array.from({ length: 6 }, () => 'internal'), 'ok']);
});

verifies('executor/claims', 'claims that a tool changes afterwards are given back as they were taken', async () => {
  const claims = [{ key: 'x', mode: 'write' as const }];
  const first = tool('first', () => void claims.splice(0), { claims: () => claims });
  const second = tool('second', () => 'ran', { claims: () => [{ key: 'x', mode: 'write' }] });
  expect(codes((await runEach([first, second])).results)).toEqual(['ok', 'ok']);
});

verifies('EXEC-01', 'a cancel does not wait for a tool that is still looked at', async () => {
  for (const hanging of [
    { claims: never },
    { permissions: never },
    { input: z.object({ n: z.string().refine(never) }) },
  ]) {
    const controller = new AbortController();
    const tools = [tool('first', () => 'ran', hanging), tool('second', () => 'ran')];
    const { results } = await runEach(tools, { signal: controller.signal }, () => controller.abort());
    expect(codes(results)).toEqual(['cancelled', 'cancelled']);
  }
});

verifies('executor/one-result', 'a check of the input that never ends is bounded', async () => {
  const slow = tool('slow', () => 'ran', { input: z.object({ n: z.string().refine(never) }) });
  const { results } = await runEach([slow], {}, () => {}, 10_000);
  expect(results[0]?.error).toMatchObject({ code: 'internal', message: expect.stringContaining('10000 ms') });
});

verifies('executor/one-result', 'a person’s answer that is none counts as no answer', async () => {
  for (const answer of [undefined, 5, {}]) {
    const { results } = await runEach([tool('asks', () => 'ran')], {
      policy: { mode: 'standard', decide: () => ({ effect: 'ask', reason: 'sure?', layer: 'mode' }) },
      ask: async () => answer as unknown as AskAnswer,
    });
    expect(codes(results)).toEqual(['unanswered']);
  }
});

verifies(
  'executor/cancel-deaf',
  'a generator of other making cannot throw out of a cancel or run on after it',
  async () => {
    let pulled = 0;
    const pieces = (leave: () => unknown) => ({
      [Symbol.asyncIterator]() {
        return this;
      },
      next: async () => ({ done: false, value: `${pulled++}` }),
      return: leave,
    });
    const fails = () => {
      throw new Error('no return');
    };
    for (const leave of [fails, () => undefined]) {
      const controller = new AbortController();
      const odd = tool('odd', () => pieces(leave));
      const { results } = await runEach([odd], { signal: controller.signal }, () => controller.abort(), 250);
      expect(codes(results)).toEqual(['cancelled']);
      const then = pulled;
      await new Promise<void>((resolve) => setImmediate(resolve));
      expect(pulled).toBe(then);
    }
  },
);

verifies('PROG-03', 'a stream that there is none of is told as stdout', async () => {
  const speaks = tool('speaks', (_input, { progress }) => progress('hello', 'loud' as 'info'));
  const { events } = await runEach([speaks]);
  expect(events.find((event) => event.type === 'tool_progress')).toMatchObject({ text: 'hello', stream: 'stdout' });
});

verifies('executor/lost', 'work that began and was lost sight of is uncertain when it changes something', async () => {
  const loses = (started: boolean) => () => {
    throw new ToolwrightError('unavailable', 'The line is lost.', { retryable: true, data: { started } });
  };
  const { results } = await runEach([
    tool('changes', loses(true), { traits: { readOnly: false } }),
    tool('reads', loses(true)),
    tool('never-began', loses(false), { traits: { readOnly: false } }),
  ]);
  expect(codes(results)).toEqual(['uncertain', 'unavailable', 'unavailable']);
  expect(results.map((result) => result.error?.retryable)).toEqual([false, true, true]);
});
