import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type AgentEvent, systemClock, ToolwrightError } from '../core/index.ts';
import type { SessionWrite } from '../store/index.ts';
import { createMemoryStore } from '../store/index.ts';
import { createSessionWriter } from './session-writer.ts';

async function setUp(fail?: () => Error | undefined) {
  const { sessions } = createMemoryStore();
  await sessions.create({
    id: 's',
    createdAt: 0,
    updatedAt: 0,
    agentName: 'main',
    model: '',
    status: 'idle',
    summary: '',
    usage: {},
    metadata: {},
  });
  await sessions.lease('s', 'me', Date.now() + 60_000, Date.now());
  const writes: SessionWrite[] = [];
  const delivered: AgentEvent[] = [];
  const broken: ToolwrightError[] = [];
  const store = {
    ...sessions,
    write: async (write: SessionWrite) => {
      const error = fail?.();
      if (error !== undefined) throw error;
      await sessions.write(write);
      writes.push(write);
    },
  };
  const writer = createSessionWriter({
    sessionId: 's',
    agentName: 'main',
    store,
    owner: 'me',
    clock: systemClock,
    deliver: (events) => delivered.push(...events),
    onBroken: (error) => broken.push(error),
  });
  return { writer, sessions, writes, delivered, broken };
}

const user = (id: string) => ({ id, role: 'user', content: id }) as const;

verifies('runtime/writer-order', 'one write for what came together; order and numbers as emitted', async () => {
  const { writer, writes, delivered, sessions } = await setUp();
  writer.emit({ type: 'run_start', runId: 'r', model: 'm' });
  writer.emit({ type: 'text_delta', text: 'a' });
  writer.emit({ type: 'text_delta', text: 'b' });
  writer.emit({ type: 'turn_start', runId: 'r', step: 1 });
  await writer.putMessages([{ position: 0, message: user('u') }]);
  expect(writes).toHaveLength(1);
  expect(delivered.map((event) => event.type)).toEqual(['run_start', 'text_delta', 'turn_start']);
  expect(delivered[1]).toMatchObject({ text: 'ab' });
  const seqs = delivered.map((event) => event.seq);
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  expect((await sessions.events('s')).map((event) => event.type)).toEqual(['run_start', 'turn_start']);
});

verifies('runtime/writer-order', 'nothing leaves before all that is kept before it is on disk', async () => {
  const { sessions } = await setUp();
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const delivered: string[] = [];
  const writer = createSessionWriter({
    sessionId: 's',
    agentName: 'main',
    store: { ...sessions, write: (write) => gate.then(() => sessions.write(write)) },
    owner: 'me',
    clock: systemClock,
    deliver: (events) => delivered.push(...events.map((event) => event.type)),
    onBroken: () => {},
  });
  writer.emit({ type: 'turn_start', runId: 'r', step: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  writer.emit({ type: 'text_delta', text: 'late' });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(delivered).toEqual([]);
  release();
  await writer.flush();
  expect(delivered).toEqual(['turn_start', 'text_delta']);
});

verifies('runtime/journal', 'a started call is on disk when it may run, its end carries input and step', async () => {
  const { writer, sessions } = await setUp();
  const journal = writer.journal('r');
  await journal.started({ callId: 'c', name: 'file_write', input: { path: 'a' }, step: 3 });
  expect(await sessions.calls('s')).toMatchObject([{ callId: 'c', status: 'started', step: 3 }]);
  await journal.ended({ callId: 'c', name: 'file_write', content: 'ok', durationMs: 1 });
  writer.emit({ type: 'tool_call', callId: 'd', name: 'read_file', arguments: { path: 'b' }, step: 4 });
  await journal.ended({ callId: 'd', name: 'read_file', content: 'text', durationMs: 1 });
  expect(await sessions.calls('s')).toMatchObject([
    { callId: 'c', status: 'ended', input: { path: 'a' } },
    { callId: 'd', status: 'ended', input: { path: 'b' }, step: 4 },
  ]);
});

verifies(
  'runtime/writer-failure',
  'a failing disk is told once, refuses what waits and lets the last words out',
  async () => {
    const { writer, broken, delivered } = await setUp(() => new Error('ENOSPC'));
    await expect(writer.putMessages([{ position: 0, message: user('u') }])).rejects.toThrow(/ENOSPC/);
    await expect(writer.flush()).rejects.toThrow(/ENOSPC/);
    writer.emit({ type: 'turn_start', runId: 'r', step: 1 });
    writer.emit({ type: 'run_end', runId: 'r', reason: 'error', steps: 0, usage: {} });
    expect(broken).toHaveLength(1);
    expect(delivered.map((event) => event.type)).toEqual(['run_end']);
  },
);

verifies('runtime/lease', 'who lost the lease writes nothing more', async () => {
  const { writer, sessions, broken } = await setUp();
  await sessions.releaseLease('s', 'me');
  await sessions.lease('s', 'other', Date.now() + 60_000, Date.now());
  await expect(writer.putMessages([{ position: 0, message: user('u') }])).rejects.toMatchObject({ code: 'conflict' });
  expect(broken[0]).toBeInstanceOf(ToolwrightError);
  expect(await sessions.messages('s')).toEqual([]);
});

verifies(
  'runtime/lease',
  'it goes back with the last write, and what is told later waits until it is held again',
  async () => {
    const { writer, sessions, writes, delivered, broken } = await setUp();
    writer.update({ status: 'idle' });
    writer.emit({ type: 'turn_start', runId: 'r', step: 1 });
    await writer.leave();
    expect(writes).toMatchObject([{ endsLease: true, session: { status: 'idle' }, events: [{ type: 'turn_start' }] }]);
    writer.emit({ type: 'turn_start', runId: 'r', step: 2 });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([broken, delivered.length]).toEqual([[], 1]);
    expect(await sessions.lease('s', 'other', 2, 1)).toBe(true);
    await sessions.releaseLease('s', 'other');
    await sessions.lease('s', 'me', Date.now() + 60_000, Date.now());
    writer.enter();
    await writer.flush();
    expect(delivered.map((event) => 'step' in event && event.step)).toEqual([1, 2]);
    expect(writes).toHaveLength(2);
  },
);

verifies('runtime/seq-blocks', 'numbers come from reserved blocks and never repeat over writers', async () => {
  const { writer, sessions, delivered } = await setUp();
  for (let step = 0; step < 1_500; step++) writer.emit({ type: 'turn_start', runId: 'r', step });
  await writer.flush();
  const second = createSessionWriter({
    sessionId: 's',
    agentName: 'main',
    store: sessions,
    owner: 'me',
    clock: systemClock,
    deliver: (events) => delivered.push(...events),
    onBroken: () => {},
  });
  second.emit({ type: 'turn_start', runId: 'q', step: 1 });
  await second.flush();
  expect(new Set(delivered.map((event) => event.seq)).size).toBe(1_501);
  expect(delivered.at(-1)?.seq).toBeGreaterThan(delivered.at(-2)?.seq ?? 0);
});
