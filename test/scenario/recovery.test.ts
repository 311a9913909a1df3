import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  type AgentEvent,
  checkTranscript,
  defineTool,
  type Message,
  type Model,
  systemClock,
  textOf,
} from '../../src/core/index.ts';
import { createRuntime } from '../../src/runtime/index.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { verifies } from '../verifies.ts';

/** Kills at random times; raise it for a long search. */
const KILLS = Number(process.env['TOOLWRIGHT_TEST_KILLS'] ?? 12);
const CHILD = join(import.meta.dirname, '../fixtures/killed-child.ts');

/** Runs the child until it is dead; gives what it said last. */
async function runChild(args: readonly string[], killAfterMs?: number): Promise<unknown> {
  const child = fork(CHILD, args, { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  let said: unknown;
  child.on('message', (message) => {
    said = message;
    if (message === 'ready' && killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  });
  await once(child, 'exit');
  return said;
}

interface Found {
  readonly messages: readonly Message[];
  readonly events: readonly AgentEvent[];
  readonly lines: readonly number[];
}

/** What a new process finds and mends, twenty seconds later: the lease of the killed one has run out. */
async function resume(folder: string, id: string): Promise<Found> {
  const clock = { ...systemClock, now: () => Date.now() + 20_000 };
  const store = await openSqliteStore({ path: join(folder, 'toolwright.db'), clock });
  const runtime = await createRuntime({ cwd: folder, env: { TOOLWRIGHT_HOME: folder }, preset: 'empty', store, clock });
  try {
    if ((await store.sessions.get(id)) === undefined) return { messages: [], events: [], lines: [] };
    const session = await runtime.session({ id });
    await session.resume();
    const messages = await session.messages();
    const events = await runtime.sessions.events(id);
    return { messages, events, lines: await linesOf(folder) };
  } finally {
    await runtime.close();
    await store.close();
  }
}

const linesOf = async (folder: string): Promise<number[]> =>
  (await readFile(join(folder, 'lines.txt'), 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) => line !== '')
    .map(Number);

/** Nothing twice, nothing lost, nothing pretended. */
function expectSound({ messages, events, lines }: Found): void {
  expect(checkTranscript(messages)).toEqual([]);
  expect(new Set(lines).size).toBe(lines.length);
  const seqs = events.map((event) => event.seq);
  expect(new Set(seqs).size).toBe(seqs.length);
  const inputs = new Map(
    messages.flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []).map((call) => [call.id, call] as const) : [],
    ),
  );
  for (const message of messages) {
    if (message.role !== 'tool' || message.name !== 'append') continue;
    const { line } = JSON.parse(inputs.get(message.toolCallId)?.arguments ?? '{}') as { line: number };
    const text = textOf(message.content);
    if (text.startsWith('appended')) expect(lines).toContain(line);
    else if (text.includes('[cancelled]')) expect(lines).not.toContain(line);
    else expect(text).toContain('[uncertain]');
  }
  const told = new Set(
    messages.flatMap((message) =>
      message.role === 'tool' && !textOf(message.content).includes('[cancelled]') ? [message.toolCallId] : [],
    ),
  );
  for (const line of lines) {
    const call = [...inputs.values()].find((one) => one.name === 'append' && JSON.parse(one.arguments).line === line);
    expect(told.has(call?.id ?? 'no call')).toBe(true);
  }
}

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-killed-'));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

verifies(
  'runtime/recovery',
  'killed before and after each write of the journal, nothing is lost, doubled or pretended',
  async () => {
    let writes = 0;
    await inFolder(async (folder) => {
      const said = (await runChild([folder, 'whole', '1', '2', '9999'])) as { writes: number };
      writes = said.writes;
      expectSound(await resume(folder, 'whole'));
      expect(await linesOf(folder)).toHaveLength(4);
    });
    expect(writes).toBeGreaterThan(5);
    const borders = Array.from({ length: writes }, (_, i) => i + 1).flatMap((n) => [
      [n, 'before'] as const,
      [n, 'after'] as const,
    ]);
    const next = async (): Promise<void> => {
      for (let border = borders.pop(); border; border = borders.pop()) {
        const [n, when] = border;
        await inFolder(async (folder) => {
          await runChild([folder, 's', '1', '2', String(n), when]);
          expectSound(await resume(folder, 's'));
        });
      }
    };
    await Promise.all([next(), next()]);
  },
  120_000,
);

verifies(
  'runtime/recovery',
  `killed ${KILLS} times at random while it appends, and gone on with each time`,
  async () => {
    await inFolder(async (folder) => {
      let first = 1;
      for (let kill = 0; kill < KILLS; kill++) {
        const id = `s${Math.floor(kill / 5)}`;
        await runChild([folder, id, String(first), '100000'], Math.random() * 120);
        const found = await resume(folder, id);
        const all = await linesOf(folder);
        expect(new Set(all).size).toBe(all.length);
        if (kill % 5 === 0 || found.messages.length > 0) expect(checkTranscript(found.messages)).toEqual([]);
        const seqs = found.events.map((event) => event.seq);
        expect(new Set(seqs).size).toBe(seqs.length);
        first = Math.max(first, ...all) + 1;
      }
    });
  },
  240_000,
);

verifies(
  'runtime/reconcile',
  'a tool that can find out what became of its call is asked, and its word is the result',
  () =>
    inFolder(async (folder) => {
      await runChild([folder, 's', '1', '1', '4', 'after']);
      const store = await openSqliteStore({ path: join(folder, 'toolwright.db') });
      const started = await store.sessions.calls('s', { status: 'started' });
      await store.close();
      const append = defineTool<{ line: number }>({
        name: 'append',
        description: 'Appends.',
        input: { type: 'object' },
        reconcile: async ({ line }) =>
          (await linesOf(folder)).includes(line)
            ? { content: `appended ${line}, as the file shows` }
            : { content: 'it did not take effect' },
        run: () => 'not run',
      });
      const clock = { ...systemClock, now: () => Date.now() + 20_000 };
      const runtime = await createRuntime({
        cwd: folder,
        env: { TOOLWRIGHT_HOME: folder },
        preset: 'empty',
        tools: [append],
        clock,
      });
      const session = await runtime.session({ id: 's' });
      await session.resume();
      const texts = (await session.messages()).flatMap((message) =>
        message.role === 'tool' ? [textOf(message.content)] : [],
      );
      await runtime.close();
      for (const text of texts) expect(text).not.toContain('[uncertain]');
      if (started.length > 0) expect(texts.join()).toMatch(/as the file shows|did not take effect/);
    }),
);

verifies('runtime/replay', 'a recorded session runs again with the same events but ids and times', () =>
  inFolder(async (folder) => {
    let turn = 0;
    const model: Model = {
      id: 'test/once',
      async *stream() {
        if (turn++ === 0) {
          yield { type: 'text_delta', text: 'Let me add.' };
          yield { type: 'tool_call_start', key: 0, id: 'a', name: 'add' };
          yield { type: 'tool_call_delta', key: 0, text: '{"a":1,"b":2}' };
          yield { type: 'model_end', reason: 'tool_calls' };
        } else {
          yield { type: 'text_delta', text: 'It is 3.' };
          yield { type: 'model_end', reason: 'stop' };
        }
      },
    };
    const add = defineTool<{ a: number; b: number }>({
      name: 'add',
      description: 'Adds.',
      input: { type: 'object' },
      traits: { readOnly: true },
      run: ({ a, b }) => a + b,
    });
    const runtime = await createRuntime({
      cwd: folder,
      env: { TOOLWRIGHT_HOME: folder },
      preset: 'empty',
      tools: [add],
    });
    const play = async (as: string | Model, input: string) => {
      const session = await runtime.session({ model: as });
      const events: AgentEvent[] = [];
      for await (const event of session.run(input)) events.push(event);
      return { id: session.id, events };
    };
    const plain = (events: readonly AgentEvent[]) =>
      events.map((event) =>
        JSON.stringify(event, (key, value: unknown) =>
          /^(sessionId|runId|seq|ts|id|durationMs|duration_ms|model|usage)$/.test(key) ? undefined : value,
        ),
      );
    const first = await play(model, 'What is 1 + 2?');
    const again = await play(`replay:${first.id}`, 'What is 1 + 2?');
    expect(plain(again.events)).toEqual(plain(first.events));
    const other = await play(`replay:${first.id}`, 'What is 1 + 3?');
    expect(other.events.at(-1)).toMatchObject({ type: 'run_end', reason: 'error' });
    expect(JSON.stringify(other.events)).toContain('differs from the recording');
    await expect(runtime.session({ model: 'replay:nope' }).then((session) => session.run('x').result)).rejects.toThrow(
      'nope',
    );
    await runtime.close();
  }),
);
