import assert from 'node:assert/strict';
import type { Message } from '../../../core/index.ts';
import type { Cases } from './bench.ts';
import { code, ended, errorEvent, messageEvent, ODD_TEXTS, plain, record, started, user } from './samples.ts';

/** What holds between owners, over opening again, and for any text. */
export const lifetimeCases: Cases = {
  async 'a lease is held by one owner until it runs out or is given back'({ sessions }) {
    await sessions.create(record('s'));
    assert.equal(await sessions.lease('s', 'a', 115, 100), true);
    assert.equal(await sessions.lease('s', 'b', 120, 105), false);
    assert.equal(await sessions.lease('s', 'a', 120, 105), true);
    assert.equal(await sessions.lease('s', 'b', 134, 119), false);
    assert.equal(await sessions.lease('s', 'b', 135, 120), true);
    await sessions.releaseLease('s', 'a');
    assert.equal(await sessions.lease('s', 'c', 140, 125), false);
    await sessions.releaseLease('s', 'b');
    assert.equal(await sessions.lease('s', 'c', 140, 125), true);
  },

  async 'who lost the lease writes nothing more'({ sessions, clock }) {
    await sessions.create(record('s'));
    const write = (owner: string, summary: string) => sessions.write({ sessionId: 's', owner, session: { summary } });
    await assert.rejects(write('a', 'never held'), code('conflict'));
    await sessions.lease('s', 'a', clock.now() + 15_000, clock.now());
    await write('a', 'held');
    await clock.advance(15_000);
    await assert.rejects(write('a', 'expired'), code('conflict'));
    assert.equal(await sessions.lease('s', 'b', clock.now() + 15_000, clock.now()), true);
    await assert.rejects(write('a', 'taken over'), code('conflict'));
    assert.equal((await sessions.get('s'))?.summary, 'held');
    await write('b', 'b');
    await sessions.write({ sessionId: 's', session: { summary: 'without an owner' } });
    assert.equal((await sessions.get('s'))?.summary, 'without an owner');
    await sessions.remove('s');
    await assert.rejects(write('b', 'removed'), code('not_found'));
  },

  async 'the last write gives the lease back, or neither happens'({ sessions, clock }) {
    await sessions.create(record('s'));
    const until = () => clock.now() + 15_000;
    const last = (owner: string) =>
      sessions.write({ sessionId: 's', owner, endsLease: true, events: [errorEvent('s', 1, owner)] });
    await sessions.lease('s', 'a', until(), clock.now());
    await assert.rejects(last('b'), code('conflict'));
    assert.equal(await sessions.lease('s', 'b', until(), clock.now()), false);
    await last('a');
    assert.equal((await sessions.events('s')).length, 1);
    assert.equal(await sessions.lease('s', 'b', until(), clock.now()), true);
    await assert.rejects(last('b'), code('conflict'));
    assert.equal(await sessions.lease('s', 'a', until(), clock.now()), false);
  },

  async 'sequence numbers are never given twice'({ store, sessions, reopen }) {
    await sessions.create(record('s'));
    await sessions.create(record('t'));
    const firsts = await Promise.all(Array.from({ length: 50 }, (_, i) => sessions.reserveSeq('s', 1 + (i % 3))));
    const taken = firsts.flatMap((first, i) => Array.from({ length: 1 + (i % 3) }, (_, offset) => first + offset));
    assert.equal(new Set(taken).size, taken.length);
    assert.equal(Math.min(...taken), 1);
    assert.equal(await sessions.reserveSeq('t', 1_024), 1);
    for (const count of [0, -1, 1.5, Number.NaN]) {
      await assert.rejects(sessions.reserveSeq('s', count), code('invalid_request'));
    }
    if (!reopen) return;
    await store.close();
    const again = await reopen();
    assert.equal(await again.sessions.reserveSeq('t', 1), 1_025);
    assert.ok((await again.sessions.reserveSeq('s', 1)) > Math.max(...taken));
    await again.close();
  },

  async 'odd texts come back exactly, as content and as ids'({ sessions }) {
    for (const [index, text] of Object.values(ODD_TEXTS).entries()) {
      const id = text.length > 1_000 ? 'long' : `s${text}`;
      const odd = record(id, {
        createdAt: index,
        summary: text,
        agentName: text,
        model: text,
        metadata: { [text]: text },
      });
      const message: Message = {
        id: text,
        role: 'assistant',
        content: text,
        thinking: text,
        toolCalls: [{ id: text, name: 'echo', arguments: JSON.stringify({ text }) }],
        provider: { adapter: 'x', value: { [text]: [text] } },
      };
      const call = { ...started(text, text), input: { [text]: text } };
      const end = { ...ended(text, text, text), input: call.input };
      const event = messageEvent(id, 1, message);
      await sessions.create(odd);
      await sessions.write({
        sessionId: id,
        messages: [{ position: 0, message }],
        callsStarted: [call],
        callsEnded: [end],
        events: [event],
      });
      assert.deepEqual(await sessions.get(id), odd);
      assert.deepEqual(await sessions.messages(id), [{ position: 0, message }]);
      assert.deepEqual(await sessions.events(id), [event]);
      const [read] = await sessions.calls(id);
      assert.deepEqual(read, { sessionId: id, ...call, status: 'ended', endedAt: 22.5, result: end.result });
      assert.equal(await sessions.lease(id, text, 2, 1), true);
      assert.equal(await sessions.lease(id, `${text}x`, 2, 1), false);
    }
    assert.equal((await sessions.list()).length, Object.keys(ODD_TEXTS).length);
  },

  async 'what is read is a copy, as JSON would give it'({ sessions }) {
    await sessions.create(record('s'));
    const input: { list: unknown[] } = { list: [undefined, Number.NaN, -1.5e300] };
    const odd = { ...started('c'), input };
    await sessions.write({ sessionId: 's', callsStarted: [odd, { ...started('d'), input: undefined }] });
    const expected = plain(input);
    input.list.push('changed later');
    const calls = await sessions.calls('s');
    assert.deepEqual(calls[0]?.input, expected);
    assert.equal(calls[1]?.input, undefined);
    (calls[0] as { input: typeof input }).input.list.push('changed by a reader');
    assert.deepEqual((await sessions.calls('s'))[0]?.input, expected);
  },

  async 'what was written is there after opening again'({ store, sessions, reopen }) {
    await sessions.create(record('s'));
    const message = user('m', 'kept');
    await sessions.write({
      sessionId: 's',
      messages: [{ position: 0, message }],
      callsStarted: [started('c')],
      events: [messageEvent('s', 1, message)],
    });
    if (!reopen) return;
    await store.close();
    const again = await reopen();
    assert.deepEqual(await again.sessions.get('s'), record('s'));
    assert.deepEqual(await again.sessions.messages('s'), [{ position: 0, message }]);
    assert.deepEqual(await again.sessions.events('s'), [messageEvent('s', 1, message)]);
    assert.equal((await again.sessions.calls('s', { status: 'started' })).length, 1);
    await again.close();
  },

  async 'writes are kept in the order they were given'({ sessions }) {
    await sessions.create(record('s'));
    const writes = Array.from({ length: 200 }, (_, i) =>
      sessions.write({ sessionId: 's', session: { summary: `${i}` }, events: [errorEvent('s', i, `${i}`)] }),
    );
    await Promise.all(writes);
    assert.equal((await sessions.get('s'))?.summary, '199');
    assert.equal((await sessions.events('s')).length, 200);
  },

  async 'a closed store finishes what it was given and refuses the rest'({ store, sessions, reopen }) {
    await sessions.create(record('s'));
    const last = sessions.write({ sessionId: 's', session: { summary: 'last' } });
    await store.close();
    await store.close();
    await last;
    await assert.rejects(sessions.get('s'), code('unavailable'));
    await assert.rejects(sessions.write({ sessionId: 's' }), code('unavailable'));
    await assert.rejects(sessions.reserveSeq('s', 1), code('unavailable'));
    if (!reopen) return;
    const again = await reopen();
    assert.equal((await again.sessions.get('s'))?.summary, 'last');
    await again.close();
  },
};
