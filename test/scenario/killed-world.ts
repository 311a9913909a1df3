import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { expect } from 'vitest';
import {
  type AgentEvent,
  type Clock,
  checkTranscript,
  type Message,
  systemClock,
  textOf,
} from '../../src/core/index.ts';
import { createRuntime, type RuntimeOptions } from '../../src/runtime/index.ts';
import { openSqliteStore } from '../../src/store/index.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface Bundle {
  readonly file: string;
  remove(): Promise<void>;
}

/** The child in one file, which begins several times as fast; inside the package, so that it finds its libraries. */
export async function bundleChild(name = 'killed-child'): Promise<Bundle> {
  const outDir = await mkdtemp(join(ROOT, 'node_modules/.killed-child-'));
  await build({
    configFile: false,
    logLevel: 'error',
    root: ROOT,
    build: { ssr: `test/fixtures/${name}.ts`, outDir, target: 'node20', minify: false },
  });
  return { file: join(outDir, `${name}.js`), remove: () => rm(outDir, { recursive: true, force: true }) };
}

export interface ChildEnd {
  readonly reason: string;
  readonly error?: unknown;
  readonly writes: number;
  readonly lines: number;
}

/** A time to live, from the run's start or from when it has kept a turn. */
export interface Life {
  readonly from: 'ready' | 'begun';
  readonly ms: number;
}

/** Runs the child until it is dead; what it said when it came to its end, undefined when it was killed before. */
export async function runChild(
  file: string,
  args: readonly (string | number)[],
  life?: Life,
): Promise<ChildEnd | undefined> {
  const child = fork(file, args.map(String), { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  let end: ChildEnd | undefined;
  child.on('message', (message) => {
    if (typeof message !== 'string') end = message as ChildEnd;
    else if (message === life?.from) setTimeout(() => child.kill('SIGKILL'), life.ms);
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (end !== undefined) expect(end).toMatchObject({ reason: 'stop' });
  else expect([code, signal]).toEqual([null, 'SIGKILL']);
  return end;
}

/** Twenty seconds later: the lease of a process that was just killed has run out. */
const later: Clock = { ...systemClock, now: () => Date.now() + 20_000 };

export interface Found {
  readonly messages: readonly Message[];
  readonly events: readonly AgentEvent[];
  /** Events that the resume added. */
  readonly added: readonly AgentEvent[];
  readonly repairs: readonly string[];
  readonly openCalls: number;
  readonly lines: readonly number[];
  /** Numbers of the events that a reader was told by the killed processes. */
  readonly told: readonly number[];
}

/** What another process finds and mends; undefined when the killed one had not begun the session. */
export async function resume(
  folder: string,
  id: string,
  options: Pick<RuntimeOptions, 'clock' | 'tools'> = {},
): Promise<Found | undefined> {
  const { clock = later, tools = [] } = options;
  const store = await openSqliteStore({ path: join(folder, 'toolwright.db'), clock });
  const env = { TOOLWRIGHT_HOME: folder };
  const runtime = await createRuntime({ cwd: folder, env, preset: 'empty', tools, store, clock });
  try {
    if ((await store.sessions.get(id)) === undefined) return undefined;
    const before = new Set((await runtime.sessions.events(id)).map((event) => event.seq));
    const session = await runtime.session({ id });
    const repairs = await session.resume();
    const events = await runtime.sessions.events(id);
    return {
      messages: await session.messages(),
      events,
      added: events.filter((event) => !before.has(event.seq)),
      repairs,
      openCalls: (await store.sessions.calls(id, { status: 'started' })).length,
      lines: await numbersIn(folder, 'lines.txt'),
      told: await numbersIn(folder, 'seqs.txt'),
    };
  } finally {
    await runtime.close();
    await store.close();
  }
}

export async function numbersIn(folder: string, name: string): Promise<number[]> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(Number);
}

/** What the conversation says of a line that was to be appended, call by call. */
export type Fate = 'appended' | 'cancelled' | 'uncertain';

export function fatesOf(messages: readonly Message[]): Map<number, Fate[]> {
  const asked = new Map<string, number>();
  const fates = new Map<number, Fate[]>();
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const call of message.toolCalls ?? []) {
        if (call.name === 'append') asked.set(call.id, (JSON.parse(call.arguments) as { line: number }).line);
      }
    }
    if (message.role !== 'tool' || message.name !== 'append') continue;
    const line = asked.get(message.toolCallId) ?? -1;
    const text = textOf(message.content);
    const fate = text.startsWith('appended') ? 'appended' : /\[(cancelled|uncertain)\]/.exec(text)?.[1];
    expect(fate, text).toBeDefined();
    fates.set(line, [...(fates.get(line) ?? []), fate as Fate]);
  }
  return fates;
}

/** Nothing twice, nothing lost, nothing pretended. */
export function expectSound({ messages, events, added, openCalls, lines, told }: Found): void {
  expect(checkTranscript(messages)).toEqual([]);
  expect(openCalls).toBe(0);
  expectUnique(lines);
  const written = new Set(lines);
  const fates = fatesOf(messages);
  for (const [line, said] of fates) {
    if (said.includes('appended')) expect(written, `line ${line}`).toContain(line);
    if (said.every((fate) => fate === 'cancelled')) expect(written, `line ${line}`).not.toContain(line);
  }
  for (const line of lines) {
    const said = fates.get(line) ?? [];
    expect(said.includes('appended') || said.includes('uncertain'), `line ${line}: ${said.join()}`).toBe(true);
  }
  expectUnique(events.map((event) => event.seq));
  expectUnique(told);
  const seen = new Set(told);
  expect(added.filter((event) => seen.has(event.seq))).toEqual([]);
  expectWholeStory(messages, events);
}

/** The kept events alone tell all that is in the conversation, once, and every run has its end. */
function expectWholeStory(messages: readonly Message[], events: readonly AgentEvent[]): void {
  const ids = events.flatMap((event) => (event.type === 'message' ? [event.message.id] : []));
  expect([...ids].sort()).toEqual(messages.map((message) => message.id).sort());
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  const callIds = calls.map((call) => call.id).sort();
  expect(events.flatMap((event) => (event.type === 'tool_call' ? [event.callId] : [])).sort()).toEqual(callIds);
  expect(events.flatMap((event) => (event.type === 'tool_result' ? [event.result.callId] : [])).sort()).toEqual(
    callIds,
  );
  const runs = (type: 'run_start' | 'run_end') =>
    events.flatMap((event) => (event.type === type && 'runId' in event ? [event.runId] : []));
  expect(runs('run_end')).toEqual(runs('run_start'));
}

function expectUnique(numbers: readonly number[]): void {
  expect(numbers.length - new Set(numbers).size).toBe(0);
}
