import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { checkTranscript, type Message, randomId, systemClock } from '../core/index.ts';
import { createMemoryStore } from '../store/index.ts';
import { createLedger } from './ledger.ts';

const record = {
  id: 's',
  createdAt: 0,
  updatedAt: 0,
  agentName: 'main',
  model: '',
  status: 'idle' as const,
  summary: '',
  usage: {},
  metadata: {},
};
const store = createMemoryStore;
type Store = ReturnType<typeof createMemoryStore>;

const user: Message = { id: 'u', role: 'user', content: 'go' };
const calls = (id: string, ...ids: string[]): Message => ({
  id,
  role: 'assistant',
  content: '',
  toolCalls: ids.map((call) => ({ id: call, name: 'file_write', arguments: '{}' })),
});
const answer = (id: string, toolCallId: string): Message => ({
  id,
  role: 'tool',
  toolCallId,
  name: 'file_write',
  content: 'ok',
  isError: false,
});

async function crashed(messages: readonly Message[], owner = 'dead'): Promise<Store> {
  const made = store();
  await made.sessions.create(record);
  await made.sessions.lease('s', owner, systemClock.now() + 60_000, systemClock.now());
  await made.sessions.write({ sessionId: 's', messages: messages.map((message, position) => ({ position, message })) });
  return made;
}

const ledgerOf = (made: Store, owner = 'me') =>
  createLedger({
    record,
    store: made,
    owner,
    clock: systemClock,
    newId: randomId,
    deliver: () => {},
    onBroken: () => {},
  });

verifies('runtime/recover', 'ended, started and unborn calls get their result, what is uncertain says so', async () => {
  const made = await crashed([user, calls('a', 'ended', 'started', 'unborn')]);
  const { sessions } = made;
  const row = { runId: 'r', step: 1, name: 'file_write', input: {}, startedAt: 1 };
  await sessions.write({
    sessionId: 's',
    callsStarted: [
      { ...row, callId: 'ended' },
      { ...row, callId: 'started' },
    ],
  });
  await sessions.write({
    sessionId: 's',
    callsEnded: [
      {
        runId: 'r',
        step: 1,
        endedAt: 2,
        input: {},
        result: { callId: 'ended', name: 'file_write', content: 'written', durationMs: 1 },
      },
    ],
  });
  await sessions.releaseLease('s', 'dead');

  const ledger = ledgerOf(made);
  await ledger.enter();
  const { messages } = ledger.transcript;
  expect(checkTranscript(messages)).toEqual([]);
  expect(messages.slice(2).map((message) => message.content)).toEqual([
    'written',
    expect.stringContaining('uncertain'),
    expect.stringContaining('did not run'),
  ]);
  expect(ledger.repairs).toEqual([
    'answered the open call ended',
    'answered the open call started',
    'answered the open call unborn',
    'the call started of file_write had started and not ended: it is uncertain',
  ]);
  await ledger.leave();
  expect((await sessions.messages('s')).map((entry) => entry.message)).toEqual([...messages]);
  expect(await sessions.calls('s', { status: 'started' })).toEqual([]);
  const told = (await sessions.events('s')).map((event) =>
    event.type === 'tool_call' ? event.callId : event.type === 'tool_result' ? event.result.callId : event.type,
  );
  const ids = ['ended', 'started', 'unborn'];
  expect(told).toEqual(['message', ...ids, ...ids, ...Array(4).fill('message')]);

  const again = ledgerOf(made);
  await again.enter();
  expect(again.repairs).toEqual([]);
  expect(again.transcript.messages).toEqual([...messages]);
  await again.leave();
});

verifies('runtime/recover', 'results in the wrong place are moved and stay moved', async () => {
  const made = await crashed([user, calls('a', 'x', 'y'), answer('ty', 'y'), calls('b', 'z'), answer('tx', 'x')]);
  await made.sessions.releaseLease('s', 'dead');
  for (const repairs of [expect.arrayContaining([expect.stringContaining('moved')]), []]) {
    const ledger = ledgerOf(made);
    await ledger.enter();
    expect(ledger.repairs).toEqual(repairs);
    expect(checkTranscript(ledger.transcript.messages)).toEqual([]);
    expect(ledger.transcript.messages.map((message) => message.id).slice(0, 5)).toEqual(['u', 'a', 'tx', 'ty', 'b']);
    await ledger.leave();
  }
});

verifies('runtime/lease', 'a session that is being run is busy for others, and free after its end', async () => {
  const made = await crashed([user]);
  const other = ledgerOf(made);
  await expect(other.enter()).rejects.toMatchObject({ code: 'busy' });
  await made.sessions.releaseLease('s', 'dead');
  await other.enter();
  await other.leave();
  await ledgerOf(made, 'third').enter();
});

verifies('runtime/recover', 'what another process added meanwhile is read before the next run', async () => {
  const made = store();
  const first = ledgerOf(made, 'a');
  const second = ledgerOf(made, 'b');
  await first.enter();
  await first.transcript.put([user]);
  await first.leave();
  await second.enter();
  await second.transcript.put([{ id: 'v', role: 'user', content: 'more' }]);
  await second.leave();
  await first.enter();
  expect(first.transcript.messages.map((message) => message.id)).toEqual(['u', 'v']);
  await first.leave();
});
