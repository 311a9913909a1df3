import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect } from 'vitest';
import type { SessionRecord } from '../../src/store/index.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { verifies } from '../verifies.ts';

const CHILD = join(import.meta.dirname, '..', 'fixtures', 'store-child.ts');

let folder: string;
let path: string;
const children = new Set<ChildProcess>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-store-'));
  path = join(folder, 'store.db');
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  await rm(folder, { recursive: true });
});

function start(mode: string, name: string): ChildProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, mode, path, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

async function linesOf(child: ChildProcess): Promise<string[]> {
  const lines: string[] = [];
  const exit = once(child, 'exit');
  if (child.stdout) for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  expect(await exit).toEqual([0, null]);
  return lines;
}

const record = (id: string): SessionRecord => ({
  id,
  createdAt: 1,
  updatedAt: 1,
  agentName: 'main',
  model: 'manual',
  status: 'idle',
  summary: '',
  usage: {},
  metadata: {},
});

verifies('STORE-01', 'two processes with four workers each append 500 messages', async () => {
  await Promise.all(['a', 'b'].map((name) => linesOf(start('append', name))));
  const store = await openSqliteStore({ path });
  const sessions = await store.sessions.list();
  expect(sessions.map((session) => session.id).sort()).toEqual(
    ['a', 'b'].flatMap((name) => [0, 1, 2, 3].map((worker) => `${name}-${worker}`)),
  );
  for (const { id } of sessions) {
    const texts = (await store.sessions.messages(id)).map(({ message }) => message.content);
    expect(texts).toEqual(Array.from({ length: 500 }, (_, position) => `${id} says ${position}`));
  }
  await store.close();
});

verifies('STORE-01', 'four processes take sequence numbers, and none twice', async () => {
  const store = await openSqliteStore({ path });
  await store.sessions.create(record('s'));
  const lines = await Promise.all([1, 2, 3, 4].map(() => linesOf(start('reserve', 's'))));
  const firsts = lines.flat().map(Number);
  expect(firsts.sort((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, i) => 1 + i * 3));
  await store.close();
});

verifies('STORE-02', 'a killed process loses no acknowledged row', async () => {
  for (let round = 0; round < 4; round++) {
    const child = start('forever', `round${round}`);
    let acknowledged = -1;
    if (!child.stdout) throw new Error('no stdout');
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged = Number(line);
      if (acknowledged === 200 + round * 37) child.kill('SIGKILL');
    }
    const store = await openSqliteStore({ path });
    const messages = await store.sessions.messages(`round${round}`);
    expect(messages.length).toBeGreaterThan(acknowledged);
    expect(messages.map(({ position }) => position)).toEqual(messages.map((_, position) => position));
    expect((await store.sessions.events(`round${round}`)).length).toBe(messages.length);
    expect((await store.sessions.list()).length).toBe(round + 1);
    await store.close();
  }
});

verifies('STORE-02', 'a torn or zeroed end of the log costs only the records in it', async () => {
  const store = await openSqliteStore({ path });
  await store.sessions.create(record('s'));
  const write = (position: number) =>
    store.sessions.write({
      sessionId: 's',
      messages: [{ position, message: { id: `m${position}`, role: 'user', content: `${position}` } }],
    });
  for (let position = 0; position < 50; position++) await write(position);
  const log = await readFile(`${path}-wal`);
  const torn = { cut: log.subarray(0, log.length - 17), zeroed: Buffer.from(log) };
  torn.zeroed.fill(0, log.length - 9_000, log.length - 8_700);
  for (const [name, bytes] of Object.entries(torn)) {
    const copy = join(folder, `${name}.db`);
    await copyFile(path, copy);
    await writeFile(`${copy}-wal`, bytes);
    const opened = await openSqliteStore({ path: copy });
    const positions = (await opened.sessions.messages('s')).map(({ position }) => position);
    expect(positions.length).toBeGreaterThan(45);
    expect(positions.length).toBeLessThan(50);
    expect(positions).toEqual(positions.map((_, index) => index));
    await opened.sessions.write({ sessionId: 's', session: { summary: 'goes on' } });
    await opened.close();
  }
  await store.close();
});

verifies('STORE-02', 'an empty file is an empty store', async () => {
  await writeFile(path, '');
  await truncate(path, 0);
  const store = await openSqliteStore({ path });
  expect(await store.sessions.list()).toEqual([]);
  await store.close();
});
