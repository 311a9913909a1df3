import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { AgentEvent, EventBody } from '../core/index.ts';
import { createEventQueue } from './event-queue.ts';

const at = (seq: number, body: EventBody): AgentEvent => ({ ...body, sessionId: 's', seq, ts: 0 });
const progress = (text: string, offset: number, stream: 'stdout' | 'stderr' = 'stdout', closed = false): EventBody => ({
  type: 'tool_progress',
  callId: 'c',
  text,
  stream,
  closed,
  offset,
});
const none = async () => [];

verifies('runtime/bounded-events', 'waiting pieces of one stream become one event, streams stay apart', async () => {
  const queue = createEventQueue({ kept: none });
  queue.push([
    at(1, progress('a', 0)),
    at(2, progress('x', 0, 'stderr')),
    at(3, progress('b', 1)),
    at(4, progress('y', 1, 'stderr')),
    at(5, progress('', 2, 'stdout', true)),
  ]);
  const events = await queue.read();
  expect(events.map((event) => event.type === 'tool_progress' && [event.stream, event.text, event.closed])).toEqual([
    ['stdout', 'ab', false],
    ['stderr', 'xy', false],
    ['stdout', '', true],
  ]);
});

verifies(
  'runtime/bounded-events',
  'a flood that nobody reads holds a bounded tail, and the offset tells of the gap',
  async () => {
    const queue = createEventQueue({ kept: none });
    const piece = 'é'.repeat(8_192);
    for (let i = 0; i < 100; i++) queue.push([at(i, progress(piece, i * piece.length * 2))]);
    const events = await queue.read();
    expect(events).toHaveLength(1);
    const [event] = events;
    if (event?.type !== 'tool_progress') throw new Error('no progress');
    expect(event.text.length).toBeLessThanOrEqual(131_072);
    expect(event.offset + event.text.length * 2).toBe(100 * piece.length * 2);
  },
);

verifies('runtime/bounded-events', 'text of another turn is not joined to the one before', async () => {
  const queue = createEventQueue({ kept: none });
  queue.push([
    at(1, { type: 'text_delta', text: 'a' }),
    at(2, { type: 'turn_start', runId: 'r', step: 2 }),
    at(3, { type: 'text_delta', text: 'b' }),
  ]);
  expect((await queue.read()).map((event) => event.type)).toEqual(['text_delta', 'turn_start', 'text_delta']);
});

verifies(
  'runtime/bounded-events',
  'a reader far behind gets every kept event from the store, once and in order',
  async () => {
    const log: AgentEvent[] = [];
    const queue = createEventQueue({
      limit: 10,
      kept: async (after, limit) => log.filter((event) => event.seq > after).slice(0, limit),
    });
    const push = (seq: number) => {
      const event = at(seq, { type: 'turn_start', runId: 'r', step: seq });
      log.push(event);
      queue.push([event]);
    };
    for (let seq = 100; seq < 700; seq++) push(seq);
    const seen: number[] = [];
    for (let reads = 0; seen.length < 600; reads++) {
      for (const event of await queue.read()) seen.push(event.seq);
      if (reads === 0) for (let seq = 700; seq < 720; seq++) push(seq);
    }
    push(720);
    queue.end();
    for (let events = await queue.read(); events.length > 0; events = await queue.read()) {
      for (const event of events) seen.push(event.seq);
    }
    expect(seen).toEqual(Array.from({ length: 621 }, (_, i) => 100 + i));
  },
);

verifies('runtime/bounded-events', 'the end comes after what waits; an error is thrown once', async () => {
  const queue = createEventQueue({ kept: none });
  queue.push([at(1, { type: 'heartbeat' })]);
  queue.end(new Error('over'));
  expect(await queue.read()).toHaveLength(1);
  await expect(queue.read()).rejects.toThrow('over');
  expect(await queue.read()).toEqual([]);
});
