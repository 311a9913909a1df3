import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { EventBody, RawToolCall, Tool } from '../core/index.ts';
import { emitToolProgress, emitToolProgressClosed } from '../progress.ts';
import { createExecutionSession } from '../testing/execution-session.ts';
import { createVirtualClock } from '../testing/virtual-clock.ts';
import { createExecutor } from './executor.ts';
import { DEFAULT_LIMITS, type ExecutorLimits } from './limits.ts';
import { createProgress } from './progress.ts';

type Progress = Extract<EventBody, { type: 'tool_progress' }>;

function channel(limits: Partial<ExecutorLimits> = {}) {
  const clock = createVirtualClock();
  const events: Progress[] = [];
  const progress = createProgress('c1', (event) => void (event.type === 'tool_progress' && events.push(event)), clock, {
    ...DEFAULT_LIMITS,
    ...limits,
  });
  return { clock, events, progress };
}

verifies('PROG-03', 'pieces of a window leave together, each stream on its own, closed once and last', async () => {
  const { clock, events, progress } = channel();
  progress.push('a');
  progress.push('b', 'stderr');
  progress.push('c');
  expect(events).toEqual([]);
  await clock.advance(49);
  expect(events).toEqual([]);
  await clock.advance(1);
  expect(events.map((event) => [event.stream, event.text])).toEqual([
    ['stdout', 'ac'],
    ['stderr', 'b'],
  ]);
  progress.push('tail');
  progress.close();
  progress.close();
  progress.push('late');
  await clock.advance(1_000);
  expect(events.slice(2).map((event) => [event.text, event.closed])).toEqual([
    ['tail', false],
    ['', true],
  ]);
  expect(clock.pending).toBe(0);
});

verifies('PROG-03', 'sixteen kilobytes leave at once, counted in bytes, with their offset', async () => {
  const { events, progress } = channel();
  progress.push('你'.repeat(5_461));
  expect(events).toEqual([]);
  progress.push('你');
  expect(events).toHaveLength(1);
  progress.push('x'.repeat(40_000));
  expect(events.map((event) => event.offset)).toEqual([0, 16_386]);
});

verifies('PROG-03', 'one character each millisecond for a second makes no more than twenty events', async () => {
  const { clock, events, progress } = channel();
  for (let i = 0; i < 1_000; i++) {
    progress.push('x');
    await clock.advance(1);
  }
  progress.close();
  const texts = events.filter((event) => !event.closed);
  expect(texts.map((event) => event.text).join('')).toBe('x'.repeat(1_000));
  expect(texts.length).toBeLessThanOrEqual(21);
});

verifies('PROG-03', 'window 0 sends each piece at once; switched off there are no events at all', () => {
  const immediate = channel({ progressIntervalMs: 0 });
  immediate.progress.push('a');
  immediate.progress.push('b');
  expect(immediate.events.map((event) => event.text)).toEqual(['a', 'b']);
  const off = channel({ progressEnabled: false });
  off.progress.push('a');
  off.progress.close();
  expect(off.events).toEqual([]);
});

async function run(tools: Tool[], calls: RawToolCall[]) {
  const events: EventBody[] = [];
  const clock = createVirtualClock();
  let n = 0;
  const executor = createExecutor({ clock, newId: () => `n${n++}` });
  const execution = executor.execute(
    calls,
    createExecutionSession(tools, { emit: (event) => void events.push(event) }),
  );
  let done = false;
  execution.results.then(() => {
    done = true;
  });
  await clock.runUntil(() => done);
  return events;
}

const tool = (name: string, body: Tool['run']): Tool => ({
  name,
  description: 'x',
  input: { type: 'object' },
  traits: { readOnly: true },
  run: body,
});

verifies(
  'executor/emit-progress',
  'emitToolProgress reaches its own call from anywhere below run, and nobody else',
  async () => {
    const deep = async (text: string) => {
      await Promise.resolve();
      emitToolProgress(text);
    };
    const talk = tool('talk', async (input) => {
      await deep(`one ${JSON.stringify(input)} `);
      await new Promise((resolve) => setImmediate(resolve));
      await deep('two');
    });
    const events = await run(
      [talk],
      [
        { id: 'a', name: 'talk', arguments: '{"n":1}' },
        { id: 'b', name: 'talk', arguments: '{"n":2}' },
      ],
    );
    emitToolProgress('nobody hears this');
    emitToolProgressClosed();
    const textOf = (id: string) =>
      events.flatMap((event) => (event.type === 'tool_progress' && event.callId === id ? [event.text] : [])).join('');
    expect(textOf('a')).toBe('one {"n":1} two');
    expect(textOf('b')).toBe('one {"n":2} two');
  },
);

verifies(
  'executor/emit-progress',
  'a generator yields progress and returns its result; the closed event comes before the result',
  async () => {
    const counting = tool('counting', async function* () {
      yield 'one ';
      yield { text: 'warning', stream: 'stderr' as const };
      emitToolProgress('inside');
      return 'the result';
    });
    const events = await run([counting], [{ id: 'a', name: 'counting', arguments: '{}' }]);
    const kinds = events.map((event) =>
      event.type === 'tool_progress' ? `${event.stream} ${event.text}${event.closed}` : event.type,
    );
    expect(kinds).toEqual(['tool_call', 'stdout one insidefalse', 'stderr warningfalse', 'info true', 'tool_result']);
    const result = events.at(-1);
    expect(result?.type === 'tool_result' && result.result.content).toBe('the result');
  },
);

verifies('PROG-03', 'a tool that throws right after its progress loses none of it', async () => {
  const failing = tool('failing', (_input, context) => {
    context.progress('last words', 'stderr');
    throw new Error('gone');
  });
  const events = await run([failing], [{ id: 'a', name: 'failing', arguments: '{}' }]);
  expect(events.map((event) => event.type)).toEqual(['tool_call', 'tool_progress', 'tool_progress', 'tool_result']);
  expect(events[1]).toMatchObject({ text: 'last words', stream: 'stderr' });
});
