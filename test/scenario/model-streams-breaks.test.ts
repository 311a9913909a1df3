import { describe, expect } from 'vitest';
import { checkTranscript, textOf } from '../../src/core/index.ts';
import { startModelServer } from '../../src/testing/model-server.ts';
import { anthropicEvents as claude } from '../../src/testing/model-server-anthropic.ts';
import { openAiEvents as gpt } from '../../src/testing/model-server-openai.ts';
import type { ServerPiece, ServerStep } from '../../src/testing/model-server-step.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { verifies } from '../verifies.ts';
import { discardedTurns, expectSound, keptCalls, pathNames, paths, play, resultsOf, whatRan } from './run-world.ts';
import { inWorld } from './runtime-world.ts';

const theEnd: ServerStep = { text: 'The end.' };
const busy: ServerStep = { status: 503, body: '{"error":{"message":"overloaded","type":"overloaded_error"}}' };

/** How a stream breaks: its last pieces, in each protocol. */
const breaks: Record<string, { openai: ServerPiece[]; anthropic: ServerPiece[] }> = {
  'a cut connection': { openai: [{ cut: true }], anthropic: [{ cut: true }] },
  'a clean end without a finish reason': { openai: [], anthropic: [] },
  'an error in the stream': {
    openai: [{ data: { error: { message: 'overloaded', type: 'server_error', code: null } } }],
    anthropic: [claude.event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })],
  },
};
type Break = { openai: ServerPiece[]; anthropic: ServerPiece[] };

/** Text, a read and an effect that are whole, and an open call; then a stall, and the break. */
const afterDispatch = (end: Break): ServerStep => ({
  openai: [
    gpt.text('Let me see.'),
    gpt.head(0, 'call_a', 'search', '{"q":1}'),
    gpt.head(1, 'call_b', 'write', '{"q":2}'),
    gpt.head(2, 'call_c', 'write', '{"text":"half of it'),
    { stall: true },
    ...end.openai,
  ],
  anthropic: [
    claude.start(),
    ...claude.text(0, 'Let me see.'),
    ...claude.call(1, 'toolu_a', 'search', '{"q":1}'),
    ...claude.call(2, 'toolu_b', 'write', '{"q":2}'),
    claude.toolUse(3, 'toolu_c', 'write'),
    claude.input(3, '{"text":"half of it'),
    { stall: true },
    ...end.anthropic,
  ],
});

/** Text and an effect that nobody has said is whole; then the break. */
const beforeDispatch = (end: Break): ServerStep => ({
  openai: [gpt.text('Lost words.'), gpt.head(0, 'call_a', 'write', '{"q":1}'), { delayMs: 10 }, ...end.openai],
  anthropic: [
    claude.start(),
    ...claude.text(0, 'Lost words.'),
    claude.toolUse(1, 'toolu_a', 'write'),
    claude.input(1, '{"q":1}'),
    { delayMs: 10 },
    ...end.anthropic,
  ],
});

for (const path of pathNames) {
  describe(path, () => {
    for (const [how, end] of Object.entries(breaks)) {
      verifies(
        'runtime/streams',
        `${how} after a dispatch: the next request holds what ran, and only that`,
        async () => {
          const played = await play({
            path,
            script: [afterDispatch(end), busy, theEnd],
            during: async ({ server, ran, until }) => {
              await server.stalled();
              await until(() => ran.length === 2);
              server.release();
            },
          });
          expectSound(played);
          const { messages, server, ran } = played;
          expect(whatRan(ran)).toEqual([
            { name: 'search', input: { q: 1 } },
            { name: 'write', input: { q: 2 } },
          ]);
          expect(keptCalls(messages).map((call) => call.name)).toEqual(['search', 'write']);
          expect(resultsOf(messages).map((result) => textOf(result.content))).toEqual(['search ran', 'write ran']);
          expect(messages.filter((message) => message.role === 'assistant').map((message) => message.content)).toEqual([
            'Let me see.',
            'The end.',
          ]);
          const [, second, third] = server.requests;
          expect(second?.text).toContain('search ran');
          expect(second?.text).toContain('write ran');
          expect(second?.text).not.toContain('half of it');
          expect(second?.text).not.toContain('_c"');
          // What failed before it had dispatched is asked again as it was.
          expect(third?.body).toEqual(second?.body);
          expect(server.requests).toHaveLength(3);
          expect(discardedTurns(played.events)).toBe(1);
        },
      );

      verifies(
        'runtime/retry',
        `${how} before a dispatch: the same turn is asked again, its text is void`,
        async () => {
          const played = await play({
            path,
            script: [beforeDispatch(end), { calls: [{ name: 'write', arguments: { q: 1 } }] }, theEnd],
          });
          expectSound(played);
          const { messages, server, events, ran } = played;
          expect(whatRan(ran)).toEqual([{ name: 'write', input: { q: 1 } }]);
          expect(server.requests[1]?.body).toEqual(server.requests[0]?.body);
          expect(discardedTurns(events)).toBe(1);
          expect(JSON.stringify(messages)).not.toContain('Lost words.');
          expect(events.at(-1)).toMatchObject({ type: 'run_end', reason: 'stop', steps: 2 });
        },
      );
    }

    verifies('runtime/retry', 'a server that is too busy is asked when it said, and not before', async () => {
      const clock = createVirtualClock();
      const slow = { status: 429, headers: { 'retry-after': '30' }, body: '{"error":{"message":"slow down"}}' };
      const played = await play({
        path,
        script: [slow, { ...slow, headers: { 'retry-after': '3600' } }, theEnd],
        runtime: { clock },
        during: async ({ server, events, until }) => {
          const failures = () => events.filter((event) => event.type === 'error').length;
          await until(() => failures() === 1);
          await clock.advance(29_999);
          expect(server.requests).toHaveLength(1);
          await clock.advance(1);
          await until(() => failures() === 2);
          // A minute is the longest.
          await clock.advance(59_999);
          expect(server.requests).toHaveLength(2);
          await clock.advance(1);
        },
      });
      expectSound(played);
      expect(played.server.requests).toHaveLength(3);
      expect(discardedTurns(played.events)).toBe(2);
      expect(played.events.at(-1)).toMatchObject({ type: 'run_end', reason: 'stop', steps: 1 });
    });

    verifies(
      'runtime/retry',
      'a server that stays down ends the run; the session goes on when it is back',
      async () => {
        const server = await startModelServer({
          script: (_request, number) => (number <= 4 ? busy : number === 5 ? { calls: [{ name: 'look' }] } : theEnd),
        });
        try {
          await inWorld(async (world) => {
            const clock = createVirtualClock();
            const runtime = await world.runtime({
              preset: 'empty',
              clock,
              tools: [
                {
                  name: 'look',
                  description: 'Looks.',
                  input: { type: 'object' },
                  traits: { readOnly: true },
                  run: () => 'x',
                },
              ],
            });
            const session = await runtime.session({ model: paths[path](server) });
            const events: string[] = [];
            for await (const event of session.run('Go.')) {
              if (event.type === 'error' && event.retryable) await clock.advance(60_000);
              events.push(event.type);
            }
            expect(server.requests).toHaveLength(4);
            expect(events.slice(-2)).toEqual(['error', 'run_end']);
            expect(checkTranscript(await session.messages())).toEqual([]);
            expect(await session.run('Go on.').result).toMatchObject({ reason: 'stop', text: 'The end.' });
            expect(checkTranscript(await session.messages())).toEqual([]);
            expect(server.problems).toEqual([]);
          });
        } finally {
          await server.close();
        }
      },
    );
  });
}

/** A run whose model answers `script`, and what a second server gets that `FALLBACK_MODEL` names. */
async function withFallback(script: readonly ServerStep[]) {
  const second = await startModelServer({ script: [theEnd] });
  try {
    const env = { FALLBACK_MODEL: 'openai/second', OPENAI_BASE_URL: second.openaiUrl };
    const played = await play({ path: 'own', script, env });
    expectSound(played);
    expect(second.problems).toEqual([]);
    expect(second.requests).toHaveLength(1);
    expect(second.requests[0]?.body).toMatchObject({ model: 'second' });
    expect(played.events.at(-1)).toMatchObject({ type: 'run_end', reason: 'stop' });
    return { ...played, asked: second.requests[0] };
  } finally {
    await second.close();
  }
}

const broken = breaks['an error in the stream'] as Break;
const unstalled = (step: ServerStep): ServerStep => ({
  ...step,
  openai: step.openai?.filter((piece) => !('stall' in piece)) ?? [],
});

verifies('runtime/retry', 'FALLBACK_MODEL serves the turn that failed four times before a dispatch', async () => {
  const { server, asked, ran, events } = await withFallback([beforeDispatch(broken), busy, busy, busy]);
  expect(server.requests).toHaveLength(4);
  expect(asked?.body).toEqual({ ...(server.requests[0]?.body as object), model: 'second' });
  expect(ran).toEqual([]);
  expect(discardedTurns(events)).toBe(4);
});

verifies(
  'runtime/retry',
  'FALLBACK_MODEL goes on after the results, when the turn broke after a dispatch',
  async () => {
    const { server, asked, ran } = await withFallback([unstalled(afterDispatch(broken)), busy, busy, busy]);
    expect(server.requests).toHaveLength(4);
    expect(whatRan(ran).map((run) => run.name)).toEqual(['search', 'write']);
    expect(asked?.text).toContain('write ran');
    expect(asked?.text).not.toContain('half of it');
  },
);

verifies('runtime/retry', 'FALLBACK_MODEL is asked at once where asking again is of no use', async () => {
  const refused = { status: 401, body: '{"error":{"message":"bad key"}}' };
  const { server } = await withFallback([refused]);
  expect(server.requests).toHaveLength(1);
});
