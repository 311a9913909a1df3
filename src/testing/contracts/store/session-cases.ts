import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../core/index.ts';
import type { Cases } from './bench.ts';
import { code, ended, errorEvent, messageEvent, record, result, started, user } from './samples.ts';

/** What a session holds, and how it is written. */
export const sessionCases: Cases = {
  async 'sessions are created, read, changed and removed'({ sessions }) {
    await sessions.create(record('s1'));
    assert.deepEqual(await sessions.get('s1'), record('s1'));
    assert.equal(await sessions.get('S1'), undefined);
    await sessions.write({ sessionId: 's1', session: { status: 'running', usage: { outputTokens: 9 } } });
    assert.deepEqual(await sessions.get('s1'), record('s1', { status: 'running', usage: { outputTokens: 9 } }));
    await assert.rejects(sessions.create(record('s1', { summary: 'other' })), code('conflict'));
    assert.equal((await sessions.get('s1'))?.summary, 'Look around');
    await sessions.write({ sessionId: 's1', messages: [{ position: 0, message: user('m', 'x') }] });
    await sessions.remove('s1');
    await sessions.remove('s1');
    assert.equal(await sessions.get('s1'), undefined);
    await sessions.create(record('s1'));
    assert.deepEqual(await sessions.messages('s1'), []);
  },

  async 'an unknown session reads as empty and refuses writes'({ sessions }) {
    assert.deepEqual(await sessions.messages('no'), []);
    assert.deepEqual(await sessions.events('no'), []);
    assert.deepEqual(await sessions.calls('no'), []);
    await assert.rejects(sessions.write({ sessionId: 'no', session: { status: 'idle' } }), code('not_found'));
    await assert.rejects(sessions.reserveSeq('no', 1), code('not_found'));
    await assert.rejects(sessions.lease('no', 'me', 2, 1), code('not_found'));
  },

  async 'sessions are listed newest first, in pages'({ sessions }) {
    for (let i = 0; i < 300; i++) await sessions.create(record(`s${i}`, { createdAt: 1_000 + i }));
    await sessions.create(record('twin', { createdAt: 1_299 }));
    const all = await sessions.list();
    assert.equal(all.length, 301);
    assert.deepEqual(
      all.slice(0, 3).map((session) => session.id),
      ['twin', 's299', 's298'],
    );
    const page = await sessions.list({ limit: 2, before: 1_299 });
    assert.deepEqual(page, [record('s298', { createdAt: 1_298 }), record('s297', { createdAt: 1_297 })]);
    assert.deepEqual(await sessions.list({ before: 1_000 }), []);
  },

  async 'messages stand at their positions and are replaced there'({ sessions }) {
    await sessions.create(record('s'));
    const at = (position: number, text: string) => ({ position, message: user(`m${position}`, text) });
    await sessions.write({ sessionId: 's', messages: [at(1, 'b'), at(0, 'a'), at(10, 'k')] });
    await sessions.write({ sessionId: 's', messages: [at(1, 'B'), at(2, 'c')] });
    assert.deepEqual(await sessions.messages('s'), [at(0, 'a'), at(1, 'B'), at(2, 'c'), at(10, 'k')]);
  },

  async 'an event keeps its message and result when the row they share is replaced'({ sessions }) {
    await sessions.create(record('s'));
    const draft = user('m1', 'draft');
    const final = user('m1', 'final');
    const resultEvent = (seq: number, text: string): AgentEvent => ({
      type: 'tool_result',
      result: result('c1', text),
      step: 0,
      sessionId: 's',
      seq,
      ts: 2,
      parentCallId: 'p',
    });
    const first = [messageEvent('s', 1, draft), resultEvent(2, 'early'), messageEvent('s', 3, draft)];
    const second = [messageEvent('s', 4, final), resultEvent(5, 'late'), messageEvent('s', 6, user('m9', 'elsewhere'))];
    await sessions.write({
      sessionId: 's',
      messages: [{ position: 0, message: draft }],
      callsEnded: [ended('c1', 'early')],
      events: first,
    });
    assert.deepEqual(await sessions.events('s'), first);
    await sessions.write({
      sessionId: 's',
      messages: [{ position: 0, message: final }],
      callsEnded: [ended('c1', 'late')],
      events: second,
    });
    assert.deepEqual(await sessions.events('s'), [...first, ...second]);
    assert.deepEqual(await sessions.messages('s'), [{ position: 0, message: final }]);
  },

  async 'events are read in order after a sequence number'({ sessions }) {
    await sessions.create(record('s'));
    const events = [7, 3, 1_025, 5].map((seq) => errorEvent('s', seq, `e${seq}`));
    await sessions.write({ sessionId: 's', events: events.slice(0, 2) });
    await sessions.write({ sessionId: 's', events: events.slice(2) });
    const seqs = async (options?: { after?: number; limit?: number }) =>
      (await sessions.events('s', options)).map((event) => event.seq);
    assert.deepEqual(await seqs(), [3, 5, 7, 1_025]);
    assert.deepEqual(await seqs({ after: 3 }), [5, 7, 1_025]);
    assert.deepEqual(await seqs({ after: 4, limit: 2 }), [5, 7]);
    assert.deepEqual(await seqs({ after: 1_025 }), []);
    assert.deepEqual(await sessions.events('s', { after: 7 }), [errorEvent('s', 1_025, 'e1025')]);
    await assert.rejects(sessions.write({ sessionId: 's', events: [errorEvent('s', 5, 'again')] }), code('conflict'));
    await assert.rejects(
      sessions.write({ sessionId: 's', events: [errorEvent('t', 8, 'x')] }),
      code('invalid_request'),
    );
  },

  async 'the journal holds calls from start to end'({ sessions }) {
    await sessions.create(record('s'));
    await sessions.write({ sessionId: 's', callsStarted: [started('c1'), started('c2')] });
    const open = { sessionId: 's', ...started('c2'), status: 'started' };
    const done = { sessionId: 's', ...started('c1'), status: 'ended', endedAt: 22.5, result: result('c1', 'hi') };
    await sessions.write({ sessionId: 's', callsEnded: [ended('c1', 'hi')] });
    assert.deepEqual(await sessions.calls('s'), [done, open]);
    assert.deepEqual(await sessions.calls('s', { status: 'started' }), [open]);
    assert.deepEqual(await sessions.calls('s', { status: 'ended' }), [done]);
    await sessions.write({ sessionId: 's', callsEnded: [ended('c3', 'quick')] });
    const [unstarted] = (await sessions.calls('s', { status: 'ended' })).slice(-1);
    assert.equal(unstarted?.startedAt, 10);
    assert.deepEqual(unstarted?.input, { text: 'c3' });
  },

  async 'a call is started once in a run, and runs do not share their ids'({ sessions }) {
    await sessions.create(record('s'));
    await sessions.write({ sessionId: 's', callsStarted: [started('c1')] });
    await assert.rejects(sessions.write({ sessionId: 's', callsStarted: [started('c1')] }), code('conflict'));
    await sessions.write({ sessionId: 's', callsEnded: [ended('c1', 'one')] });
    await assert.rejects(sessions.write({ sessionId: 's', callsStarted: [started('c1')] }), code('conflict'));
    await sessions.write({
      sessionId: 's',
      callsStarted: [started('c1', 'r2')],
      callsEnded: [ended('c1', 'two', 'r2')],
    });
    const calls = await sessions.calls('s');
    assert.deepEqual(
      calls.map((call) => [call.runId, call.result?.content]),
      [
        ['r1', 'one'],
        ['r2', 'two'],
      ],
    );
  },

  async 'a write that fails in one part leaves nothing of the others'({ sessions }) {
    await sessions.create(record('s'));
    await sessions.write({ sessionId: 's', events: [errorEvent('s', 1, 'first')], callsStarted: [started('c1')] });
    const good = {
      sessionId: 's',
      session: { summary: 'changed' },
      messages: [{ position: 0, message: user('m', 'x') }],
      callsStarted: [started('c2')],
      callsEnded: [ended('c1', 'x')],
    };
    const bad = [
      { ...good, events: [errorEvent('s', 2, 'new'), errorEvent('s', 1, 'taken')] },
      { ...good, events: [errorEvent('s', 2, 'new'), errorEvent('s', 2, 'twice')] },
      { ...good, callsStarted: [started('c2'), started('c1')] },
      { ...good, callsEnded: [{ ...ended('c1', 'x'), input: 10n }] },
      { ...good, messages: [...good.messages, { position: -1, message: user('n', 'y') }] },
      { ...good, owner: 'nobody' },
    ];
    for (const write of bad) await assert.rejects(sessions.write(write));
    assert.deepEqual(await sessions.get('s'), record('s'));
    assert.deepEqual(await sessions.messages('s'), []);
    assert.deepEqual(await sessions.events('s'), [errorEvent('s', 1, 'first')]);
    assert.deepEqual(
      (await sessions.calls('s')).map((call) => call.status),
      ['started'],
    );
    await sessions.write(good);
    assert.equal((await sessions.get('s'))?.summary, 'changed');
  },
};
