import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { expect } from 'vitest';
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
import type { RuntimeOptions } from '../../src/runtime/index.ts';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../../src/testing/model-server.ts';
import { inWorld } from './runtime-world.ts';

/** The ways from a session to a provider. */
export const paths = {
  own: (server) => createOpenAiCompatible({ id: 'local/m', model: 'm', baseUrl: server.openaiUrl }),
  'AI SDK': (server) => fromAiSdk(createOpenAICompatible({ name: 'local', baseURL: server.openaiUrl })('m')),
  Anthropic: (server) =>
    fromAiSdk(createAnthropic({ apiKey: 'none', baseURL: server.anthropicUrl })('claude-sonnet-4-5')),
} satisfies Record<string, (server: ModelServer) => Model>;
export type Path = keyof typeof paths;
export const pathNames = Object.keys(paths) as Path[];

/** Pauses between attempts are real, and a hundred times as short. */
const hurried: Clock = {
  ...systemClock,
  after: (ms, fn) => systemClock.after(ms > 350 && ms < 20_000 ? ms / 100 : ms, fn),
};

export interface Ran {
  readonly name: string;
  readonly input: unknown;
  readonly callId: string;
}

export interface Played {
  readonly events: readonly AgentEvent[];
  /** The conversation at the end. */
  readonly messages: readonly Message[];
  readonly server: ModelServer;
  /** What the tools were run with, in the order of their starts. */
  readonly ran: readonly Ran[];
  /** Resolves when the test is true of what has happened so far; asked again after each event and each start. */
  until(test: () => boolean): Promise<void>;
}

export interface PlayOptions {
  readonly path: Path;
  readonly script: ModelServerOptions['script'];
  /** Names of the tools that have effects; default `write`. The others are read-only. */
  readonly effectful?: readonly string[];
  readonly runtime?: RuntimeOptions;
  /** Variables on top of those of a world. */
  readonly env?: Readonly<Record<string, string>>;
  /** Looks at the run, or acts on the server, while it goes on. */
  readonly during?: (played: Played) => Promise<void>;
}

export const TOOLS = ['now', 'read', 'search', 'write'] as const;
const PATIENCE_MS = 5_000;

/** One run of a session against a local server. Whatever `during` finds, the run is brought to its end. */
export async function play(options: PlayOptions): Promise<Played> {
  const { path, script, effectful = ['write'], during = async () => {} } = options;
  const server = await startModelServer({ script });
  const ran: Ran[] = [];
  const events: AgentEvent[] = [];
  const messages: Message[] = [];
  const watchers = new Set<() => void>();
  const look = () => {
    for (const watcher of [...watchers]) watcher();
  };
  const until = (test: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const leave = (settle: () => void) => {
        watchers.delete(watcher);
        clearTimeout(timer);
        settle();
      };
      const timer = setTimeout(
        () => leave(() => reject(new Error(`not within ${PATIENCE_MS} ms: ${test}`))),
        PATIENCE_MS,
      );
      const watcher = () => {
        if (test()) leave(resolve);
      };
      watchers.add(watcher);
      watcher();
    });
  const tools = TOOLS.map((name) =>
    defineTool({
      name,
      description: `Notes that ${name} ran.`,
      input: { type: 'object' },
      traits: { readOnly: !effectful.includes(name) },
      claims: () => [],
      run: (input, { call }) => {
        ran.push({ name, input, callId: call.id });
        look();
        return `${name} ran`;
      },
    }),
  );
  const played = { events, messages, server, ran, until };
  try {
    await inWorld(async (world) => {
      const env = { ...world.env, ...options.env };
      const runtime = await world.runtime({ preset: 'empty', tools, clock: hurried, env, ...options.runtime });
      const session = await runtime.session({ model: paths[path](server), mode: 'open' });
      const run = session.run('Go.');
      // A test that fails does not wait for a stream that nobody lets go on.
      const watching = during(played).then(
        () => undefined,
        async (error: unknown) => {
          session.cancel();
          await server.close();
          return { error };
        },
      );
      for await (const event of run) {
        events.push(event);
        look();
        if (event.type === 'turn_end') expect(checkTranscript(await session.messages())).toEqual([]);
      }
      const failure = await watching;
      if (failure) throw failure.error;
      messages.push(...(await session.messages()));
    });
  } finally {
    await server.close();
  }
  return played;
}

/** What must hold whatever the stream was. */
export function expectSound({ events, messages, server, ran }: Played): void {
  expect(checkTranscript(messages)).toEqual([]);
  expect(server.problems).toEqual([]);
  expect(events.filter((event) => event.type === 'run_end')).toHaveLength(1);
  expect(events.at(-1)?.type).toBe('run_end');
  const called = events.flatMap((event) => (event.type === 'tool_call' ? [event.callId] : []));
  const answered = events.flatMap((event) => (event.type === 'tool_result' ? [event.result.callId] : []));
  expect(new Set(called).size).toBe(called.length);
  expect([...answered].sort()).toEqual([...called].sort());
  const kept = keptCalls(messages).map((call) => call.id);
  expect(resultsOf(messages).map((result) => result.toolCallId)).toEqual(kept);
  expect(called).toEqual(kept);
  // No call runs twice, and none that the conversation does not hold.
  const runs = ran.map((run) => run.callId);
  expect(new Set(runs).size).toBe(runs.length);
  expect(kept).toEqual(expect.arrayContaining(runs));
  const seqs = events.map((event) => event.seq);
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
}

export function keptCalls(messages: readonly Message[]) {
  return messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
}

export function resultsOf(messages: readonly Message[]) {
  return messages.flatMap((message) => (message.role === 'tool' ? [message] : []));
}

export function discardedTurns(events: readonly AgentEvent[]): number {
  return events.filter((event) => event.type === 'turn_end' && event.discarded).length;
}

/** The ran calls without their ids. */
export const whatRan = (ran: readonly Ran[]) => ran.map(({ name, input }) => ({ name, input }));
