import fc from 'fast-check';
import { expect } from 'vitest';
import { anyEvent, eventTypes } from '../../test/unit/any-event.ts';
import { anySession } from '../../test/unit/any-session.ts';
import { verifies } from '../../test/verifies.ts';
import { type EventBody, KEPT_EVENTS } from '../core/index.ts';
import { createTimeline, type TimelineItem, timeline } from './index.ts';
import { HELD_PROGRESS } from './progress-tail.ts';
import { toWire } from './to-wire.ts';

const wire = (bodies: readonly (EventBody & { parentCallId?: string })[]) =>
  bodies.map((body, index) => toWire({ ...body, sessionId: 's', seq: index + 1, ts: index }));

const turn = { type: 'turn_start', runId: 'r', step: 1 } as const;
const turnEnd = { type: 'turn_end', runId: 'r', step: 1 } as const;
const runEnd = { type: 'run_end', runId: 'r', reason: 'stop', steps: 1, usage: {} } as const;
const call = { type: 'tool_call', callId: 'c1', name: 'read_file', arguments: { path: 'a' }, step: 1 } as const;
const done = { callId: 'c1', name: 'read_file', content: 'text', durationMs: 5 };
const progress = (text: string, offset: number, stream: 'stdout' | 'stderr' = 'stdout', closed = false) =>
  ({ type: 'tool_progress', callId: 'c1', text, stream, closed, offset }) as const;
const reply = (content: string, calls: string[] = []) =>
  ({
    type: 'message',
    message: {
      role: 'assistant',
      id: 'm1',
      content,
      toolCalls: calls.map((id) => ({ id, name: 'read_file', arguments: '{"path":"a"}' })),
    },
  }) as const;
/** Kind and the telling part of each item. */
const brief = (items: readonly TimelineItem[]) =>
  items.map((item) => {
    if (item.kind === 'call') return `call ${item.callId} ${item.status}`;
    if (item.kind === 'user') return `user ${item.content}`;
    if (item.kind === 'error') return `error ${item.code}`;
    if (item.kind === 'notification') return `notification ${item.status}`;
    return item.kind === 'run_end' ? `run_end ${item.reason}` : `${item.kind} ${item.text}${item.live ? '…' : ''}`;
  });

verifies('timeline/fold', 'a run is shown as it goes', () => {
  const shown = createTimeline();
  const after = (...bodies: EventBody[]) => {
    for (const event of wire(bodies)) shown.push({ ...event, seq: Math.random() });
    return brief(shown.items());
  };
  after({ type: 'message', message: { role: 'user', id: 'u1', content: 'go' } }, turn);
  expect(after({ type: 'thinking_delta', text: 'hm' })).toEqual(['user go', 'thinking hm…']);
  expect(after({ type: 'text_delta', text: 'I ' }, { type: 'text_delta', text: 'read' })).toContain('text I read…');
  expect(after({ type: 'tool_call_delta', callId: 'c1', name: 'read_file', text: '{"pa' })).toContain(
    'call c1 streaming',
  );
  expect(shown.items().at(-1)).toMatchObject({ name: 'read_file', argumentsText: '{"pa' });
  after(reply('I read', ['c1']), call);
  expect(shown.items().at(-1)).toMatchObject({ status: 'running', arguments: { path: 'a' } });
  after(progress('one', 0), progress('two', 3), progress('bad', 0, 'stderr'));
  expect(shown.items().at(-1)).toMatchObject({
    progress: [
      { stream: 'stdout', text: 'onetwo' },
      { stream: 'stderr', text: 'bad' },
    ],
  });
  after({ type: 'tool_result', result: { ...done, data: { lines: 1 } }, step: 1 });
  expect(shown.items().at(-1)).toMatchObject({ status: 'done', output: 'text', metadata: { lines: 1 }, progress: [] });
  after({ type: 'error', code: 'busy', message: 'wait', retryable: true });
  expect(after(turnEnd, runEnd)).toEqual(['user go', 'text I read', 'call c1 done', 'error busy', 'run_end stop']);
});

verifies('timeline/fold', 'a call without a result is interrupted at the end of its run', () => {
  expect(brief(timeline(wire([turn, reply('', ['c1']), call, progress('x', 0), turnEnd, runEnd])))).toEqual([
    'call c1 interrupted',
    'run_end stop',
  ]);
});

verifies('timeline/fold', 'a subagent has items of its own, with the call they belong to', () => {
  const sub = (body: EventBody) => ({ ...body, parentCallId: 'c1' });
  const items = timeline(wire([turn, call, sub(turn), sub({ ...call, callId: 'c1' }), sub(turnEnd), turnEnd]));
  expect(items.map((item) => [item.kind, item.parentCallId])).toEqual([
    ['call', undefined],
    ['call', 'c1'],
  ]);
  expect(new Set(items.map((item) => item.key)).size).toBe(2);
});

verifies('timeline/fold', 'items that did not change stay the same objects', () => {
  const shown = createTimeline();
  for (const event of wire([turn, reply('Hello', ['c1', 'c2']), call])) shown.push(event);
  const before = shown.items();
  expect(shown.items()).toBe(before);
  for (const event of wire([progress('x', 0)])) shown.push(event);
  expect(shown.items().map((item, index) => item === before[index])).toEqual([true, false, true]);
});

verifies('timeline/order', 'progress and results that come before their call', () => {
  const items = timeline(wire([progress('early', 0), turn, call]));
  expect(items).toMatchObject([{ status: 'running', progress: [{ text: 'early' }] }]);
  const settled = timeline(wire([turn, { type: 'tool_result', result: done, step: 1 }, progress('x', 0), call]));
  expect(settled).toMatchObject([{ status: 'done', output: 'text', arguments: { path: 'a' }, progress: [] }]);
});

verifies('timeline/order', 'a discarded turn leaves nothing, and its ids may come again', () => {
  const delta = { type: 'tool_call_delta', callId: 'c1', name: 'read_file', text: '{' } as const;
  const broken = [turn, { type: 'text_delta', text: 'Hel' } as const, delta, { ...turnEnd, discarded: true }];
  expect(brief(timeline(wire([...broken, turn, reply('Hello', ['c1']), call])))).toEqual([
    'text Hello',
    'call c1 running',
  ]);
});

verifies('timeline/order', 'whenever progress comes within its run, the end is the same', () => {
  fc.assert(
    fc.property(anySession, fc.infiniteStream(fc.nat({ max: 30 })), (events, moves) => {
      const all = events.map(toWire);
      const moved = all
        .map((event, index) => ({
          event,
          place: event.type === 'tool_progress' ? index - (moves.next().value ?? 0) : index,
        }))
        .sort((a, b) => a.place - b.place)
        .map(({ event }) => event);
      expect(timeline(moved)).toEqual(timeline(all));
    }),
  );
});

verifies('timeline/replay', 'kept events give the items that the live view ended with', () => {
  fc.assert(
    fc.property(anySession, (events) => {
      const live = createTimeline();
      for (const event of events) {
        live.push(toWire(event));
        live.items();
      }
      const kept = events.filter((event) => KEPT_EVENTS.has(event.type)).map(toWire);
      expect(timeline(kept)).toEqual(live.items());
      expect(new Set(live.items().map((item) => item.key)).size).toBe(live.items().length);
    }),
    { numRuns: 300 },
  );
});

verifies('timeline/replay', 'no order of events throws', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(...eventTypes.map(anyEvent)), { maxLength: 30 }), (events) => {
      expect(Array.isArray(timeline(events.map(toWire)))).toBe(true);
    }),
  );
});

verifies('timeline/bounds', 'live output is held from its end, per stream, and tells what is missing', () => {
  const shown = createTimeline();
  const piece = 'é'.repeat(5_000);
  const events = Array.from({ length: 200 }, (_, i) => [progress(piece, i * 10_000), progress('e', i, 'stderr')]);
  for (const event of wire([turn, call, ...events.flat()])) shown.push(event);
  const [item] = shown.items();
  if (item?.kind !== 'call') throw new Error('no call');
  const out = item.progress.filter((one) => one.stream === 'stdout');
  const held = out.reduce((sum, one) => sum + one.text.length, 0);
  expect(held).toBeGreaterThanOrEqual(HELD_PROGRESS);
  expect(held).toBeLessThanOrEqual(2 * HELD_PROGRESS);
  expect(held * 2 + out.reduce((sum, one) => sum + (one.missed ?? 0), 0)).toBe(200 * 10_000);
  expect(
    item.progress
      .filter((one) => one.stream === 'stderr')
      .map((one) => one.text)
      .join(''),
  ).toBe('e'.repeat(200));
});

verifies('timeline/bounds', 'no byte twice, and a gap is told', () => {
  const items = timeline(
    wire([turn, call, progress('añb', 0), progress('añbc', 0), progress('c', 4), progress('z', 9)]),
  );
  expect(items).toMatchObject([
    {
      progress: [
        { stream: 'stdout', text: 'añbc' },
        { stream: 'stdout', text: 'z', missed: 4 },
      ],
    },
  ]);
});

verifies('timeline/bounds', 'many small pieces cost no more than their sum', () => {
  const shown = createTimeline();
  const began = performance.now();
  for (const event of wire([turn, call])) shown.push(event);
  const event = wire([progress('x'.repeat(100), 0)])[0];
  if (event?.type !== 'tool_progress') throw new Error('no progress');
  for (let i = 0; i < 100_000; i++)
    shown.push({ ...event, stream: i % 2 ? 'stdout' : 'stderr', offset: (i >> 1) * 100 });
  shown.items();
  expect(performance.now() - began).toBeLessThan(5_000);
});
