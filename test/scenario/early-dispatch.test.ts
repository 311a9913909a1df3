import { expect } from 'vitest';
import { anthropicEvents as claude } from '../../src/testing/model-server-anthropic.ts';
import { openAiEvents as gpt } from '../../src/testing/model-server-openai.ts';
import type { ServerStep } from '../../src/testing/model-server-step.ts';
import { verifies } from '../verifies.ts';
import { expectSound, keptCalls, type Path, type Played, pathNames, play, resultsOf } from './run-world.ts';

const stall = { stall: true } as const;
const theEnd: ServerStep = { text: 'The end.' };

/** Three calls, and a stall after each thing that decides. */
const threeCalls: ServerStep = {
  openai: [
    gpt.head(0, 'call_a', 'search', '{"q":'),
    stall,
    gpt.more(0, '1}'),
    stall,
    gpt.head(1, 'call_b', 'write', '{"q":2}'),
    stall,
    gpt.head(2, 'call_c', 'read'),
    stall,
    gpt.more(2, '{"q":3}'),
    stall,
    gpt.finish('tool_calls'),
    gpt.done,
  ],
  anthropic: [
    claude.start(),
    claude.toolUse(0, 'toolu_a', 'search'),
    claude.input(0, '{"q":'),
    stall,
    claude.input(0, '1}'),
    stall,
    claude.stop(0),
    claude.toolUse(1, 'toolu_b', 'write'),
    claude.input(1, '{"q":2}'),
    stall,
    claude.stop(1),
    claude.toolUse(2, 'toolu_c', 'read'),
    stall,
    claude.input(2, '{"q":3}'),
    stall,
    claude.stop(2),
    ...claude.finish('tool_use'),
  ],
};

/** An effectful call alone, whole, and the stream open behind it. */
const lastWrite: ServerStep = {
  openai: [gpt.head(0, 'call_a', 'write', '{"q":1}'), stall, gpt.finish('tool_calls'), gpt.done],
  anthropic: [
    claude.start(),
    claude.toolUse(0, 'toolu_a', 'write'),
    claude.input(0, '{"q":1}'),
    stall,
    claude.stop(0),
    stall,
    ...claude.finish('tool_use'),
  ],
};

/** Long enough for a call that may start to have started. */
const aWhile = () => new Promise<void>((resolve) => setTimeout(resolve, 40));

const names = ({ ran }: Played) => ran.map((run) => run.name);
const hasCome = ({ events }: Played, text: string) =>
  events.some((event) => event.type === 'tool_call_delta' && event.text.endsWith(text));
const isAnswered = ({ events }: Played, name: string) =>
  events.some((event) => event.type === 'tool_result' && event.result.name === name);
const turnIsOver = ({ events }: Played) => events.some((event) => event.type === 'turn_end');

/** The stream stands where nothing more may start. */
async function expectStill(played: Played, text: string, ran: readonly string[]): Promise<void> {
  await played.server.stalled();
  await played.until(() => hasCome(played, text));
  await aWhile();
  expect(names(played)).toEqual(ran);
  played.server.release();
}

/** The stream stands, and the call of that name runs to its end all the same. */
async function expectStarted(played: Played, name: string): Promise<void> {
  await played.server.stalled();
  await played.until(() => names(played).includes(name) && isAnswered(played, name));
  expect(turnIsOver(played)).toBe(false);
  played.server.release();
}

for (const path of pathNames) {
  verifies(
    'runtime/early-dispatch',
    `${path}: read-only calls run at their brace, the first and the last; an effect when the next call begins`,
    async () => {
      const played = await play({
        path,
        script: [threeCalls, theEnd],
        during: async (now) => {
          await expectStill(now, '{"q":', []);
          await expectStarted(now, 'search');
          await expectStill(now, '{"q":2}', ['search']);
          await expectStarted(now, 'write');
          await expectStarted(now, 'read');
        },
      });
      expectSound(played);
      expect(played.ran.map((run) => run.input)).toEqual([{ q: 1 }, { q: 2 }, { q: 3 }]);
      expect(names(played)).toEqual(['search', 'write', 'read']);
      expect(resultsOf(played.messages).map((result) => result.content)).toEqual([
        'search ran',
        'write ran',
        'read ran',
      ]);
      expect(played.server.requests).toHaveLength(2);
    },
  );
}

const waits: Record<Path, string> = {
  own: 'the finish',
  'AI SDK': 'the finish',
  Anthropic: 'the end of its block, the stream still open',
};
for (const path of pathNames) {
  verifies('runtime/early-dispatch', `${path}: an effectful last call waits for ${waits[path]}`, async () => {
    const played = await play({
      path,
      script: [lastWrite, theEnd],
      during: async (now) => {
        await expectStill(now, '{"q":1}', []);
        if (path === 'Anthropic') await expectStarted(now, 'write');
      },
    });
    expectSound(played);
    expect(names(played)).toEqual(['write']);
  });

  verifies('runtime/early-dispatch', `${path}: text behind an effectful call starts it`, async () => {
    const text = 'And then';
    const played = await play({
      path,
      script: [
        {
          openai: [
            gpt.head(0, 'call_a', 'write', '{"q":1}'),
            gpt.text(text),
            stall,
            gpt.finish('tool_calls'),
            gpt.done,
          ],
          anthropic: [
            claude.start(),
            ...claude.call(0, 'toolu_a', 'write', '{"q":1}'),
            claude.block(1, { type: 'text', text: '' }),
            claude.delta(1, { type: 'text_delta', text }),
            stall,
            claude.stop(1),
            ...claude.finish('tool_use'),
          ],
        },
        theEnd,
      ],
      during: (now) => expectStarted(now, 'write'),
    });
    expectSound(played);
    expect(names(played)).toEqual(['write']);
    expect(keptCalls(played.messages)).toHaveLength(1);
  });

  verifies('runtime/early-dispatch', `${path}: no arguments yet are no arguments`, async () => {
    const played = await play({
      path,
      script: [
        {
          openai: [gpt.head(0, 'call_a', 'now', '{}'), stall, gpt.finish('tool_calls'), gpt.done],
          anthropic: [
            claude.start(),
            claude.toolUse(0, 'toolu_a', 'now'),
            claude.input(0, '{}'),
            stall,
            claude.stop(0),
            ...claude.finish('tool_use'),
          ],
        },
        theEnd,
      ],
      during: async (now) => {
        await now.server.stalled();
        await aWhile();
        expect(names(now)).toEqual([]);
        now.server.release();
      },
    });
    expectSound(played);
    expect(played.ran).toMatchObject([{ name: 'now', input: {} }]);
  });
}
