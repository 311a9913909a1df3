import assert from 'node:assert/strict';
import type { Ask } from '../../../core/index.ts';
import type { Cases } from './bench.ts';
import { code, record } from './samples.ts';

const ask = (id: string, more: Partial<Ask> = {}): Ask => ({
  id,
  sessionId: 's',
  kind: 'permission',
  callId: 'c',
  tool: 'run_bash',
  input: { command: 'ls \ud800' },
  reason: 'because',
  hash: `hash of ${id}`,
  suggestions: [{ scope: 'once', allows: '' }],
  createdAt: 100,
  expiresAt: 200,
  ...more,
});
const to = ({ id, sessionId, hash }: Ask) => ({ id, sessionId, hash });
const yes = (at: number) => ({ outcome: 'approved' as const, by: 'me', at });

/** Questions to the person: kept whole, ended once. */
export const askCases: Cases = {
  async 'an ask is kept as it was put, and listed by session and while it can be answered'({ store, sessions }) {
    await assert.rejects(store.asks.open(ask('a')), code('not_found'));
    await sessions.create(record('s'));
    await sessions.create(record('t'));
    await store.asks.open(ask('a'));
    await store.asks.open(ask('b', { sessionId: 't', expiresAt: 300 }));
    await assert.rejects(store.asks.open(ask('a')), code('conflict'));
    assert.deepEqual(await store.asks.get('a'), ask('a'));
    assert.equal(await store.asks.get('x'), undefined);
    const ids = async (filter?: Parameters<typeof store.asks.list>[0]) =>
      (await store.asks.list(filter)).map((one) => one.id);
    assert.deepEqual(await ids(), ['a', 'b']);
    assert.deepEqual(await ids({ sessionId: 't' }), ['b']);
    assert.deepEqual(await ids({ open: true, at: 200 }), ['b']);
    await sessions.remove('t');
    assert.deepEqual(await ids(), ['a']);
  },

  async 'one answer ends an ask; anything else is told apart and changes nothing'({ store, sessions }) {
    await sessions.create(record('s'));
    await store.asks.open(ask('a'));
    const { asks } = store;
    assert.equal(await asks.answer({ ...to(ask('a')), id: 'x' }, yes(150)), 'not_found');
    assert.equal(await asks.answer({ ...to(ask('a')), sessionId: 't' }, yes(150)), 'wrong_session');
    assert.equal(await asks.answer({ ...to(ask('a')), hash: 'x' }, yes(150)), 'wrong_hash');
    assert.equal(await asks.answer(to(ask('a')), yes(200)), 'expired');
    assert.deepEqual(await asks.get('a'), ask('a'));
    const outcomes = await Promise.all([asks.answer(to(ask('a')), yes(150)), asks.answer(to(ask('a')), yes(151))]);
    assert.deepEqual(outcomes.sort(), ['already_resolved', 'resolved']);
    assert.equal(await asks.settle('a', { outcome: 'unanswered', by: 'time', at: 200 }), false);
    assert.equal((await asks.get('a'))?.resolution?.outcome, 'approved');
    await asks.open(ask('b'));
    assert.equal(await asks.settle('b', { outcome: 'unanswered', by: 'time', at: 200 }), true);
    assert.equal(await asks.answer(to(ask('b')), yes(201)), 'expired');
  },

  async 'who watches is told of an opening and of an end, until it leaves'({ store, sessions }) {
    await sessions.create(record('s'));
    let told = 0;
    const leave = store.asks.watch(() => told++);
    await store.asks.open(ask('a'));
    await store.asks.answer(to(ask('a')), yes(150));
    await store.asks.answer(to(ask('a')), yes(150));
    assert.equal(told, 2);
    leave();
    await store.asks.open(ask('b'));
    assert.equal(told, 2);
  },
};
