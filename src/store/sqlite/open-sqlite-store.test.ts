import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Driver from 'better-sqlite3';
import { afterEach, beforeEach, expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { type Message, systemClock } from '../../core/index.ts';
import type { SessionRecord, Store } from '../ports/sessions.ts';
import { createLockQueue } from './lock-queue.ts';
import { openDatabase } from './open-database.ts';
import { createSqliteStore, openSqliteStore } from './open-sqlite-store.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-store-'));
  path = join(folder, 'store.db');
});
afterEach(() => rm(folder, { recursive: true }));

const record: SessionRecord = {
  id: 's',
  createdAt: 1,
  updatedAt: 1,
  agentName: 'main',
  model: 'manual',
  status: 'idle',
  summary: '',
  usage: {},
  metadata: {},
};
const message = (position: number, content = 'hello'): Message => ({ id: `m${position}`, role: 'user', content });
const write = (store: Store, position: number, content?: string) =>
  store.sessions.write({ sessionId: 's', messages: [{ position, message: message(position, content) }] });

/** The reason and code of a refusal, and that it says what to do. */
async function refusal(file: string): Promise<unknown> {
  const error = await openSqliteStore({ path: file }).then(
    () => undefined,
    (reason: unknown) => reason as { code: string; hint?: string; data: { reason: string }; stack: string },
  );
  expect(error?.hint).toBeTruthy();
  return error && [error.code, error.data.reason];
}

async function filledDatabase(): Promise<Buffer> {
  const store = await openSqliteStore({ path });
  await store.sessions.create(record);
  for (let position = 0; position < 40; position++) await write(store, position, 'x'.repeat(2_000));
  await store.close();
  return readFile(path);
}

verifies('store/open', 'what is no sound database of ours is refused, by its kind, and not touched', async () => {
  const good = await filledDatabase();
  const zeroedPage = Buffer.from(good).fill(0, 100, 4_096);
  const files: Record<string, [Buffer, string, string]> = {
    garbage: [Buffer.alloc(20_000, 'not SQL '), 'unavailable', 'not_a_database'],
    nuls: [Buffer.alloc(300), 'unavailable', 'not_a_database'],
    'header-only': [Buffer.concat([good.subarray(0, 16), Buffer.alloc(9_000)]), 'unavailable', 'not_a_database'],
    half: [good.subarray(0, good.length / 2), 'unavailable', 'damaged'],
    'odd-end': [good.subarray(0, good.length - 17), 'unavailable', 'damaged'],
    'zeroed-page': [zeroedPage, 'unavailable', 'damaged'],
  };
  for (const [name, [bytes, code, reason]] of Object.entries(files)) {
    const file = join(folder, name);
    await writeFile(file, bytes);
    expect([name, await refusal(file)]).toEqual([name, [code, reason]]);
    expect((await readFile(file)).equals(bytes)).toBe(true);
  }
});

verifies('store/open', 'a newer schema and a database of another program are left alone', async () => {
  const change = (sql: string) => {
    const database = new Driver(path);
    database.exec(sql);
    database.close();
  };
  await filledDatabase();
  change('PRAGMA user_version = 999');
  const newer = await readFile(path);
  expect(await refusal(path)).toEqual(['mismatch', 'newer_version']);
  expect((await readFile(path)).equals(newer)).toBe(true);
  path = join(folder, 'other.db');
  change('CREATE TABLE bookmarks (url TEXT)');
  const other = await readFile(path);
  expect(await refusal(path)).toEqual(['mismatch', 'other_program']);
  expect((await readFile(path)).equals(other)).toBe(true);
});

verifies('store/open', 'a folder, an unreachable parent and a read-only file are told apart', async () => {
  expect(await refusal(folder)).toEqual(['invalid_request', 'not_a_file']);
  const plain = join(folder, 'plain');
  await writeFile(plain, 'text');
  expect(await refusal(join(plain, 'store.db'))).toEqual(['unavailable', 'no_folder']);
  const before = await filledDatabase();
  if (process.getuid?.() === 0) return;
  await chmod(path, 0o400);
  expect(await refusal(path)).toEqual(['unavailable', 'read_only']);
  expect((await readFile(path)).equals(before)).toBe(true);
});

verifies('store/open', 'damage found later is told as damage', async () => {
  const good = await filledDatabase();
  await writeFile(path, Buffer.from(good).fill(0xff, 4_096));
  const error = await openSqliteStore({ path })
    .then((store) => store.sessions.messages('s').finally(() => store.close()))
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'unavailable', data: { reason: 'damaged' } });
});

verifies('store/migrations', 'a missing folder is made for its owner only, and two may open at once', async () => {
  const file = join(folder, 'a', 'b', 'store.db');
  const stores = await Promise.all([1, 2, 3].map(() => openSqliteStore({ path: file, synchronous: 'full' })));
  expect((await stat(join(folder, 'a'))).mode & 0o777).toBe(0o700);
  for (const name of await readdir(join(folder, 'a', 'b'))) {
    expect((await stat(join(folder, 'a', 'b', name))).mode & 0o777).toBe(0o600);
  }
  await stores[0]?.sessions.create(record);
  expect(await stores[2]?.sessions.get('s')).toEqual(record);
  await Promise.all(stores.map((store) => store.close()));
  expect(await readdir(join(folder, 'a', 'b'))).toEqual(['store.db']);
});

verifies('store/share', 'a message event and its message are one copy; other programs read its columns', async () => {
  const store = await openSqliteStore({ path });
  await store.sessions.create(record);
  const text = 'y'.repeat(50_000);
  const shared: Message = {
    id: 'm0',
    role: 'tool',
    toolCallId: 'c1',
    name: 'echo',
    content: text,
    isError: false,
    agentName: 'sub',
    metadata: { k: 1 },
  };
  const result = { callId: 'c1', name: 'echo', content: text, durationMs: 1 };
  const base = { sessionId: 's', ts: 1 };
  await store.sessions.write({
    sessionId: 's',
    messages: [{ position: 0, message: shared }],
    callsEnded: [{ runId: 'r', step: 0, endedAt: 1, input: {}, result }],
    events: [
      { ...base, seq: 1, type: 'message', message: shared },
      { ...base, seq: 2, type: 'tool_result', result, step: 0 },
    ],
  });
  expect(await store.sessions.events('s')).toMatchObject([{ message: shared }, { result }]);
  await store.close();
  expect((await stat(path)).size).toBeLessThan(3 * text.length + 100_000 - text.length);
  const database = new Driver(path, { readonly: true });
  expect(
    database.prepare('SELECT role, agent_name, tool_call_id, metadata, content FROM agent_messages').get(),
  ).toEqual({ role: 'tool', agent_name: 'sub', tool_call_id: 'c1', metadata: '{"k":1}', content: text });
  expect(database.prepare('SELECT sum(length(detail)) AS n FROM agent_events').get()).toEqual({ n: null });
  database.close();
});

verifies('store/full', 'a write without room fails once and whole', async () => {
  const locks = createLockQueue(systemClock, 100);
  const database = await openDatabase(path, 'normal', locks);
  const store = createSqliteStore(database, path, systemClock, locks);
  await store.sessions.create(record);
  await write(store, 0);
  database.pragma(`max_page_count = ${Number(database.pragma('page_count', { simple: true })) + 2}`);
  await expect(write(store, 1, 'z'.repeat(100_000))).rejects.toMatchObject({
    code: 'unavailable',
    retryable: true,
    data: { reason: 'full' },
  });
  expect(await store.sessions.messages('s')).toEqual([{ position: 0, message: message(0) }]);
  await write(store, 1, 'fits');
  database.pragma('max_page_count = 100000');
  await write(store, 2, 'z'.repeat(100_000));
  expect((await store.sessions.messages('s')).length).toBe(3);
  await store.close();
});

verifies('STORE-01', 'a writer waits for a held lock without stopping its process, readers go on', async () => {
  const store = await openSqliteStore({ path });
  await store.sessions.create(record);
  const holder = new Driver(path);
  holder.exec('BEGIN IMMEDIATE');
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 5);
  const release = new Promise<void>((resolve) => {
    setTimeout(() => {
      holder.exec('COMMIT');
      resolve();
    }, 400);
  });
  const waiting = [write(store, 0), write(store, 1)];
  expect(await store.sessions.get('s')).toEqual(record);
  expect(await store.sessions.messages('s')).toEqual([]);
  await Promise.all([...waiting, release]);
  clearInterval(ticking);
  expect(ticks).toBeGreaterThan(10);
  expect((await store.sessions.messages('s')).length).toBe(2);
  holder.close();
  await store.close();
});

verifies('STORE-01', 'a lock that is never given back is `busy`, and the store stays usable', async () => {
  const store = await openSqliteStore({ path, busyTimeoutMs: 60 });
  await store.sessions.create(record);
  const holder = new Driver(path);
  holder.exec('BEGIN IMMEDIATE');
  await expect(write(store, 0)).rejects.toMatchObject({ code: 'busy', retryable: true, hint: expect.any(String) });
  holder.exec('COMMIT');
  holder.close();
  await write(store, 1);
  expect((await store.sessions.messages('s')).map(({ position }) => position)).toEqual([1]);
  await store.close();
});

verifies('store/statements', 'a turn of small writes', async () => {
  const store = await openSqliteStore({ path });
  await store.sessions.create(record);
  const times: number[] = [];
  for (let i = 0; i < 400; i++) {
    const began = performance.now();
    const event = { type: 'message' as const, message: message(i), sessionId: 's', seq: i, ts: 1 };
    await store.sessions.write({ sessionId: 's', messages: [{ position: i, message: message(i) }], events: [event] });
    times.push(performance.now() - began);
  }
  expect(times.sort((a, b) => a - b)[200]).toBeLessThan(1);
  await store.close();
});

verifies('store/open', 'a path with odd characters is only a path', async () => {
  for (const name of [':memory:', 'file:x?mode=memory', `'; DROP --.db`, '天文.db']) {
    const file = join(folder, 'odd', name);
    await mkdir(join(folder, 'odd'), { recursive: true });
    const store = await openSqliteStore({ path: file });
    await store.sessions.create(record);
    await store.close();
    expect((await stat(file)).size).toBeGreaterThan(0);
  }
});
