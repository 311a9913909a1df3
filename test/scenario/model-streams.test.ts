import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect } from 'vitest';
import {
  type AgentEvent,
  type Clock,
  checkTranscript,
  defineTool,
  type Message,
  type Model,
  systemClock,
} from '../../src/core/index.ts';
import { createOpenAiCompatible, fromAiSdk } from '../../src/model/index.ts';
import { type ModelFixture, modelFixtures } from '../../src/testing/model-fixtures.ts';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../../src/testing/model-server.ts';
import { verifies } from '../verifies.ts';
import { inWorld } from './runtime-world.ts';

const PATHS = {
  own: (server) => createOpenAiCompatible({ id: 'local/m', model: 'm', baseUrl: server.openaiUrl }),
  'AI SDK': (server) => fromAiSdk(createOpenAICompatible({ name: 'local', baseURL: server.openaiUrl })('m')),
  Anthropic: (server) =>
    fromAiSdk(createAnthropic({ apiKey: 'none', baseURL: server.anthropicUrl })('claude-sonnet-4-5')),
} satisfies Record<string, (server: ModelServer) => Model>;
type Path = keyof typeof PATHS;

/** Pauses between attempts are real, and a hundred times as short. */
const hurried: Clock = {
  ...systemClock,
  after: (ms, fn) => systemClock.after(ms > 400 && ms < 20_000 ? ms / 100 : ms, fn),
};

interface Played {
  readonly events: readonly AgentEvent[];
  readonly messages: readonly Message[];
  readonly server: ModelServer;
  /** What the tools were run with, in the order of running. */
  readonly ran: readonly { readonly name: string; readonly input: unknown }[];
}

/** A whole session against a local server; `during` may look at it while it runs. */
async function play(
  path: Path,
  script: ModelServerOptions['script'],
  during: (played: Played) => Promise<void> = async () => {},
): Promise<Played> {
  const server = await startModelServer({ script });
  const ran: { name: string; input: unknown }[] = [];
  const events: AgentEvent[] = [];
  const messages: Message[] = [];
  const tool = (name: string, readOnly: boolean) =>
    defineTool({
      name,
      description: `Notes that ${name} ran.`,
      input: { type: 'object' },
      traits: { readOnly },
      claims: () => [],
      run: (input) => {
        ran.push({ name, input });
        return `${name} ran`;
      },
    });
  const played = { events, messages, server, ran };
  try {
    await inWorld(async (world) => {
      const tools = [tool('now', true), tool('read', true), tool('search', true), tool('write', false)];
      const runtime = await world.runtime({ preset: 'empty', tools, clock: hurried });
      const session = await runtime.session({ model: PATHS[path](server), mode: 'open' });
      const run = session.run('Go.');
      const looking = during(played);
      for await (const event of run) {
        events.push(event);
        if (event.type === 'turn_end') expect(checkTranscript(await session.messages())).toEqual([]);
      }
      await looking;
      messages.push(...(await session.messages()));
    });
  } finally {
    await server.close();
  }
  return played;
}

/** What must hold whatever the stream was. */
function expectSound({ events, messages, server }: Played): void {
  expect(checkTranscript(messages)).toEqual([]);
  expect(server.problems).toEqual([]);
  expect(events.filter((event) => event.type === 'run_end')).toHaveLength(1);
  const called = events.flatMap((event) => (event.type === 'tool_call' ? [event.callId] : []));
  const answered = events.flatMap((event) => (event.type === 'tool_result' ? [event.result.callId] : []));
  expect([...answered].sort()).toEqual([...called].sort());
  expect(new Set(called).size).toBe(called.length);
  const kept = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  expect(messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : []))).toEqual(
    kept.map((call) => call.id),
  );
  const seqs = events.map((event) => event.seq);
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
}

/** The inputs of a fixture's calls that are whole JSON objects. */
function wholeInputs({ expected }: ModelFixture): string[] {
  return expected.calls.flatMap(({ arguments: text }) => {
    try {
      const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
      return typeof value === 'object' && value !== null ? [JSON.stringify(value)] : [];
    } catch {
      return [];
    }
  });
}

for (const path of Object.keys(PATHS) as Path[]) {
  describe(path, () => {
    for (const fixture of modelFixtures.filter((entry) => path !== 'Anthropic' || entry.anthropic)) {
      verifies('runtime/streams', `${fixture.name}: ${fixture.what}`, async () => {
        const played = await play(path, (_request, number) => (number === 1 ? fixture : { text: 'The end.' }));
        expectSound(played);
        expect(played.events.at(-1)).toMatchObject({ type: 'run_end' });
        const writes = played.ran.filter(({ name }) => name === 'write');
        expect(writes.length).toBeLessThanOrEqual(Math.max(1, fixture.expected.calls.length));
        if (fixture.expected.reason !== 'length' && fixture.expected.reason !== 'error') return;
        // Of a reply that was cut or broke, nothing ran that had not come whole.
        const whole = wholeInputs(fixture);
        for (const { input } of played.ran) {
          expect(input).not.toEqual({});
          if (fixture.expected.reason === 'length') expect(whole).toContain(JSON.stringify(input));
        }
      });
    }
  });
}

const until = async (test: () => boolean): Promise<void> => {
  for (let i = 0; i < 500 && !test(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(test()).toBe(true);
};

for (const path of ['own', 'AI SDK'] as const) {
  verifies(
    'runtime/early-dispatch',
    `${path}: calls start while the stream is still open, the last one too`,
    async () => {
      const calls = [
        { id: 'a', name: 'search', arguments: { q: 1 } },
        { id: 'b', name: 'write', arguments: { q: 2 } },
        { id: 'c', name: 'read', arguments: { q: 3 } },
      ];
      const played = await play(
        path,
        [{ calls, stall: true }, { text: 'The end.' }],
        async ({ ran, server, events }) => {
          await server.stalled();
          await until(() => ran.length === 3);
          expect(ran.map(({ name }) => name).sort()).toEqual(['read', 'search', 'write']);
          expect(events.some((event) => event.type === 'turn_end')).toBe(false);
          server.release();
        },
      );
      expectSound(played);
      expect(played.ran).toHaveLength(3);
    },
  );
}

verifies('runtime/early-dispatch', 'an effectful last call waits for the end of the reply', async () => {
  const played = await play(
    'own',
    [{ calls: [{ name: 'write', arguments: { q: 1 } }], stall: true }, { text: 'The end.' }],
    async ({ ran, server }) => {
      await server.stalled();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(ran).toEqual([]);
      server.release();
    },
  );
  expectSound(played);
  expect(played.ran).toHaveLength(1);
});

verifies('runtime/retry', 'a server that is too busy is asked again, and what it asked to wait is waited', async () => {
  const busy = { status: 429, headers: { 'retry-after': '1' }, body: '{"error":{"message":"slow down"}}' };
  const played = await play('own', [
    busy,
    { status: 500, body: 'oops' },
    { calls: [{ name: 'read', arguments: { q: 1 } }] },
    { text: 'The end.' },
  ]);
  expectSound(played);
  expect(played.server.requests).toHaveLength(4);
  expect(played.events.filter((event) => event.type === 'turn_end' && event.discarded)).toHaveLength(2);
  expect(played.events.at(-1)).toMatchObject({ type: 'run_end', reason: 'stop' });
});
