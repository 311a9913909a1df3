import { expect } from 'vitest';
import { type AgentEvent, defineTool, type Message, type Model } from '../../src/core/index.ts';
import type { Runtime } from '../../src/runtime/index.ts';
import { verifies } from '../verifies.ts';
import { collect, inWorld, type World } from './runtime-world.ts';

/** Thinks, calls two tools at once, then says what came of it; gives its provider's own data with each reply. */
const thoughtful: Model = {
  id: 'test/thoughtful',
  async *stream({ messages }) {
    const last = messages.at(-1);
    const usage = { inputTokens: 10 * messages.length, outputTokens: 5 };
    const provider = { adapter: 'test', value: { signed: messages.length } };
    if (last?.role === 'user') {
      yield { type: 'thinking_delta', text: 'Hm.' };
      yield { type: 'text_delta', text: 'Let me see.' };
      for (const [key, by] of [1, 2].entries()) {
        yield { type: 'tool_call_start', key, id: `c${messages.length}_${key}`, name: 'count' };
        yield { type: 'tool_call_delta', key, text: JSON.stringify({ by }) };
      }
      yield { type: 'model_end', reason: 'tool_calls', usage, provider };
      return;
    }
    yield { type: 'text_delta', text: `It is ${last?.content}.` };
    yield { type: 'model_end', reason: 'stop', usage, provider };
  },
};

/** A runtime whose tool really counts, from 0. */
async function counting({ runtime }: World, start = 0): Promise<{ made: Runtime; total: () => number }> {
  let total = start;
  const count = defineTool<{ by: number }>({
    name: 'count',
    description: 'Counts.',
    input: { type: 'object', properties: { by: { type: 'integer' } } },
    run: ({ by }) => {
      total += by;
      return total;
    },
  });
  return { made: await runtime({ preset: 'empty', tools: [count] }), total: () => total };
}

const PROMPTS = ['Count.', 'Once more.'];

async function play(made: Runtime, model: string | Model, prompts: readonly string[] = PROMPTS) {
  const session = await made.session({ model, mode: 'open' });
  const events: AgentEvent[] = [];
  for (const prompt of prompts) events.push(...(await collect(session.run(prompt))));
  return { id: session.id, events, messages: await session.messages() };
}

/** Without ids of sessions, runs and messages, and without times. */
const plain = (facts: readonly (AgentEvent | Message)[]): unknown =>
  JSON.parse(
    JSON.stringify(facts, (key, value: unknown) =>
      ['sessionId', 'runId', 'seq', 'ts', 'id', 'durationMs', 'duration_ms'].includes(key) && typeof value !== 'object'
        ? undefined
        : value,
    ),
  );

verifies(
  'runtime/replay',
  'run again in another process: the same events but ids and times, and tools really run',
  () =>
    inWorld(async (world) => {
      const first = await counting(world);
      const recorded = await play(first.made, thoughtful);
      expect(recorded.events.filter((event) => event.type === 'tool_result')).toHaveLength(4);
      await first.made.close();
      const second = await counting(world);
      const again = await play(second.made, `replay:${recorded.id}`);
      expect(second.total()).toBe(6);
      expect(plain(again.events)).toEqual(plain(recorded.events));
      expect(plain(again.messages)).toEqual(plain(recorded.messages));
      expect(again.id).not.toBe(recorded.id);
      const kept = async (id: string) => plain(await second.made.sessions.events(id));
      expect(await kept(again.id)).toEqual(await kept(recorded.id));
    }),
);

verifies('runtime/replay', 'a replayed session can be gone on with in a third process', () =>
  inWorld(async (world) => {
    const first = await counting(world);
    const recorded = await play(first.made, thoughtful);
    await first.made.close();
    const second = await counting(world);
    const half = await play(second.made, `replay:${recorded.id}`, PROMPTS.slice(0, 1));
    await second.made.close();
    const third = await counting(world, 3);
    const session = await third.made.session({ id: half.id, model: `replay:${recorded.id}`, mode: 'open' });
    expect(await session.run('Once more.').result).toMatchObject({ reason: 'stop', text: 'It is 6.' });
  }),
);

verifies('runtime/replay', 'another prompt or another result ends the run, and the difference is shown', () =>
  inWorld(async (world) => {
    const first = await counting(world);
    const recorded = await play(first.made, thoughtful);
    const asked = await play(first.made, `replay:${recorded.id}`, ['Count!']);
    expect(asked.events.at(-1)).toMatchObject({
      type: 'run_end',
      reason: 'error',
      steps: 0,
      error: { message: expect.stringMatching(/message 1 differs[\s\S]*user: Count\.\n[\s\S]*user: Count!/) },
    });
    const second = await counting(world, 100);
    const counted = await play(second.made, `replay:${recorded.id}`, ['Count.']);
    expect(second.total()).toBe(103);
    expect(counted.events.at(-1)).toMatchObject({
      reason: 'error',
      error: { message: expect.stringMatching(/message 3 differs[\s\S]*tool count: 1\n[\s\S]*tool count: 101/) },
    });
    expect(counted.events.filter((event) => event.type === 'error' && event.retryable)).toEqual([]);
    const further = await play(first.made, `replay:${counted.id}`, ['Count.']);
    expect(further.events.at(-1)).toMatchObject({ reason: 'error' });
  }),
);

verifies('runtime/replay', 'a session that is not there is told by name', () =>
  inWorld(async ({ runtime }) => {
    const made = await runtime({ preset: 'empty' });
    await expect(made.model('replay:nowhere')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('nowhere'),
    });
  }),
);
