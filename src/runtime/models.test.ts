import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { collect, inWorld, scripted } from '../../test/scenario/runtime-world.ts';
import { verifies } from '../../test/verifies.ts';
import { type AgentEvent, type Clock, type Model, systemClock } from '../core/index.ts';
import { startModelServer } from '../testing/model-server.ts';

/** Pauses between attempts are a hundred times as short. */
const hurried: Clock = {
  ...systemClock,
  after: (ms, fn) => systemClock.after(ms > 400 && ms < 20_000 ? ms / 100 : ms, fn),
};
const texts = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'text_delta' ? [event.text] : []));
const faults = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'error' ? [event.message] : []));

verifies('runtime/retry', 'FALLBACK_MODEL serves the turn at which the model failed for good', () =>
  inWorld(async ({ runtime, project, env }) => {
    const steps = [{ error: { message: 'no such deployment', retryable: false } }];
    await writeFile(join(project, 'bad.json'), JSON.stringify(steps));
    await writeFile(join(project, 'good.json'), JSON.stringify([{ text: 'From the other.' }]));
    const made = await runtime({
      env: { ...env, TOOLWRIGHT_MODEL: 'script:bad.json', FALLBACK_MODEL: 'script:good.json' },
    });
    const session = await made.session();
    const events = await collect(session.run('go'));
    expect(texts(events)).toEqual(['From the other.']);
    expect(faults(events)).toEqual([expect.stringMatching(/no such deployment.*script:good\.json/)]);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', reason: 'stop' });
    const alone = await (await runtime()).session({ model: 'script:bad.json' });
    expect(await alone.run('go').result).toMatchObject({ reason: 'error' });
  }),
);

verifies(
  'runtime/retry',
  'a server that is busy is asked again, its text before that is void, and the run goes on',
  () =>
    inWorld(async ({ runtime, env }) => {
      const server = await startModelServer({
        script: [
          { status: 503, body: '{"error":{"message":"overloaded"}}' },
          { openai: [{ data: { choices: [{ index: 0, delta: { content: 'Half' } }] } }, { cut: true }] },
          { text: 'Here.' },
        ],
      });
      try {
        const made = await runtime({
          preset: 'empty',
          clock: hurried,
          env: { ...env, OPENAI_BASE_URL: server.openaiUrl },
        });
        const session = await made.session({ model: 'openai/m' });
        const events = await collect(session.run('go'));
        const turns = events.flatMap((event) => (event.type === 'turn_end' ? [event.discarded === true] : []));
        expect(turns).toEqual([true, true, false]);
        expect(server.requests).toHaveLength(3);
        expect((await session.messages()).map((message) => message.content)).toEqual(['go', 'Here.']);
      } finally {
        await server.close();
      }
    }),
);

verifies('model/thinking', "a session's wish to think reaches the request in the vendor's own field", () =>
  inWorld(async ({ runtime, env }) => {
    const server = await startModelServer({ script: () => ({ thinking: 'Hm.', text: 'Hi.' }) });
    try {
      const made = await runtime({
        preset: 'empty',
        env: { ...env, DASHSCOPE_BASE_URL: server.openaiUrl, OPENAI_BASE_URL: server.openaiUrl },
      });
      for (const model of ['dashscope/qwen', 'openai/m']) {
        for (const thinking of [true, undefined]) {
          const session = await made.session({ model, ...(thinking === undefined ? {} : { thinking }) });
          await session.run('go').result;
        }
      }
      const wishes = server.requests.map(({ body }) => (body as Record<string, unknown>)['enable_thinking']);
      expect(wishes).toEqual([true, undefined, undefined, undefined]);
    } finally {
      await server.close();
    }
  }),
);

verifies(
  'runtime/config',
  'the window that is set overrides that of a model that is named, and takes nothing from it',
  () =>
    inWorld(async ({ runtime, project, env }) => {
      await writeFile(join(project, 'steps.json'), JSON.stringify([{ text: 'one' }, { text: 'two' }]));
      const made = await runtime({ env: { ...env, TOOLWRIGHT_CONTEXT_WINDOW: '5000' } });
      const model = (await made.model('script:steps.json')) as Model & { assertDone(): void };
      expect(model.contextWindow).toBe(5_000);
      const session = await made.session({ model });
      await session.run('go').result;
      expect(() => model.assertDone()).toThrow('1 of 2 steps');
      const own = scripted('x');
      expect(await (await made.session({ model: own })).run('go').result).toMatchObject({ reason: 'stop' });
    }),
);
