import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { checkTranscript, defineTool, systemClock } from '../../src/core/index.ts';
import type { Ask, AskRecord, Runtime } from '../../src/runtime/index.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { verifies } from '../verifies.ts';
import { cli, withEnv } from './cli-world.ts';
import { inWorld, scripted } from './runtime-world.ts';

const done: string[] = [];
const mark = defineTool<{ word: string }>({
  name: 'mark',
  description: 'marks a word',
  input: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  claims: () => [],
  run: ({ word }) => {
    done.push(word);
    return `marked ${word}`;
  },
});
const inquire = defineTool<{ title: string }>({
  name: 'inquire',
  description: 'asks the person',
  input: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  traits: { readOnly: true, waits: true, timeoutMs: 600_000 },
  async run({ title }, context) {
    const questions = [{ id: 'q', type: 'text' as const, title }];
    const answer = await context.ask?.({ kind: 'question', reason: title, questions, timeoutMs: 1_000 });
    return answer ?? 'nobody';
  },
});

/** The asks that wait, once there are so many. */
async function waiting(runtime: Runtime, count: number): Promise<readonly AskRecord[]> {
  for (let tries = 0; tries < 500; tries++) {
    const asks = await runtime.asks.list();
    if (asks.length >= count) return asks;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('nothing is asked');
}
const yes = ({ sessionId, hash }: Ask) => ({ sessionId, hash, decision: 'approved' as const, by: 'test' });

verifies('ask/turn', 'all asks of a turn go out at once; calls that need no yes do not wait for them', () =>
  inWorld(async (world) => {
    done.length = 0;
    const calls = ['a', 'b', 'c'].map((word) => ({ name: 'mark', input: { word } }));
    const runtime = await world.runtime({ preset: 'empty', tools: [mark], model: scripted(calls, 'ok') });
    const session = await runtime.session({ interactive: true, ask: ['mark'], allow: [] });
    const run = session.run('go');
    const [a, b, c] = await waiting(runtime, 3);
    expect(done).toEqual([]);
    expect((await runtime.asks.resolve(c?.id ?? '', yes(c as Ask))).outcome).toBe('resolved');
    const { sessionId, hash } = a as Ask;
    await runtime.asks.resolve(a?.id ?? '', { sessionId, hash, decision: 'denied', reason: 'not that', by: 'test' });
    await runtime.asks.resolve(b?.id ?? '', yes(b as Ask));
    expect(await run.result).toMatchObject({ reason: 'stop' });
    expect([...done].sort()).toEqual(['b', 'c']);
    const events = await runtime.sessions.events(session.id);
    expect(events.filter((event) => event.type === 'ask')).toHaveLength(3);
    const ends = events.flatMap((event) => (event.type === 'ask_resolved' ? [event.outcome] : []));
    expect(ends.sort()).toEqual(['approved', 'approved', 'denied']);
  }),
);

verifies('ask/elsewhere', 'another connection answers, and who waits goes on', () =>
  inWorld(async (world) => {
    done.length = 0;
    const here = await world.runtime({ preset: 'empty', tools: [mark] });
    const there = await world.runtime({ preset: 'empty' });
    const session = await here.session({ interactive: true });
    const result = session.call('mark', { word: 'far' });
    const [ask] = await waiting(there, 1);
    const began = Date.now();
    expect((await there.asks.resolve(ask?.id ?? '', yes(ask as Ask))).outcome).toBe('resolved');
    expect((await result).content).toBe('marked far');
    expect(Date.now() - began).toBeLessThan(10_000);
  }),
);

verifies(
  'ask/rules',
  'a yes for the session answers what waits and comes later; a rule that was not offered is refused',
  () =>
    inWorld(async (world) => {
      const calls = ['a', 'b'].map((word) => ({ name: 'mark', input: { word } }));
      const model = scripted(calls, 'ok', calls.slice(1), 'ok');
      const runtime = await world.runtime({ preset: 'empty', tools: [mark], model });
      const session = await runtime.session({ interactive: true });
      const run = session.run('go');
      const [first] = await waiting(runtime, 2);
      const ask = first as AskRecord;
      const wide = ask.suggestions.findLast((one) => one.rule !== undefined)?.rule ?? '';
      const wrong = await runtime.asks.resolve(ask.id, { ...yes(ask), scope: 'session', rule: '*' });
      expect(wrong.outcome).toBe('invalid');
      await runtime.asks.resolve(ask.id, { ...yes(ask), scope: 'session', rule: wide });
      await run.result;
      await session.run('again').result;
      const all = await runtime.asks.list({ all: true });
      expect(all.map((one) => one.resolution?.by)).toEqual(['test', 'grant']);
      await session.close();
      const later = await (await world.runtime({ preset: 'empty', tools: [mark] })).session({ id: session.id });
      expect((await later.call('mark', { word: 'z' })).error).toBeUndefined();
    }),
);

verifies('ask/kept', 'an always is added to the settings of the home; a broken file is left and told', () =>
  inWorld(async (world) => {
    const path = join(world.home, 'toolwright.json');
    await writeFile(path, JSON.stringify({ model: 'manual', permissions: { mode: 'standard', allow: ['x'] } }));
    const runtime = await world.runtime({ preset: 'empty', tools: [mark] });
    const session = await runtime.session({ interactive: true });
    const result = session.call('mark', { word: 'a' });
    const [ask] = await waiting(runtime, 1);
    const receipt = await runtime.asks.resolve(ask?.id ?? '', { ...yes(ask as Ask), scope: 'always' });
    await result;
    expect(receipt).toMatchObject({ outcome: 'resolved', keptIn: path });
    const rule = ask?.suggestions.find((one) => one.rule !== undefined)?.rule;
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
      model: 'manual',
      permissions: { mode: 'standard', allow: ['x', rule] },
    });
    const other = await runtime.session({ interactive: true });
    const second = other.call('mark', { word: 'b' });
    const [again] = await waiting(runtime, 1);
    await writeFile(path, '{ broken');
    const warned = await runtime.asks.resolve(again?.id ?? '', { ...yes(again as Ask), scope: 'always' });
    expect(warned).toMatchObject({ outcome: 'resolved', warning: expect.stringContaining('was not kept') });
    expect((await second).content).toBe('marked b');
    expect(await readFile(path, 'utf8')).toBe('{ broken');
  }),
);

verifies('ASK-01', 'no answer is no answer; a late one, a second one and one for another question are told apart', () =>
  inWorld(async (world) => {
    const clock = createVirtualClock();
    const store = await openSqliteStore({ path: join(world.home, 'own.db'), clock });
    const runtime = await world.runtime({ preset: 'empty', tools: [inquire], store, clock });
    try {
      const session = await runtime.session({ interactive: true });
      const first = session.call('inquire', { title: 'one' });
      const [q1] = (await waiting(runtime, 1)) as [AskRecord];
      await clock.advance(1_000);
      expect((await first).data ?? JSON.parse(String((await first).content))).toMatchObject({ outcome: 'unanswered' });
      const second = session.call('inquire', { title: 'two' });
      const [q2] = (await waiting(runtime, 1)) as [AskRecord];
      const say = (ask: AskRecord, answers: Record<string, string>) =>
        runtime.asks.resolve(ask.id, {
          sessionId: ask.sessionId,
          hash: ask.hash,
          decision: 'answered',
          answers,
          by: 'test',
        });
      expect((await say(q1, { q: 'late' })).outcome).toBe('expired');
      expect((await say(q2, { other: 'x' })).outcome).toBe('invalid');
      expect((await say({ ...q2, hash: q1.hash }, { q: 'x' })).outcome).toBe('wrong_hash');
      expect((await say(q2, { q: '' })).outcome).toBe('resolved');
      expect((await say(q2, { q: 'again' })).outcome).toBe('already_resolved');
      expect(String((await second).content)).toMatch(/"q": ?""/);
      const third = session.call('inquire', { title: 'three' });
      const [q3] = (await waiting(runtime, 1)) as [AskRecord];
      session.cancel();
      expect((await third).error?.code).toBe('cancelled');
      expect((await say(q3, { q: 'x' })).outcome).toBe('already_resolved');
      await session.close();
      expect(clock.pending).toBe(0);
    } finally {
      await runtime.close();
      await store.close();
    }
  }),
);

verifies(
  'ask/restart',
  'a yes that came while nobody ran the session lets the call run once; a new message supersedes the rest',
  () =>
    inWorld(async (world) => {
      for (const answered of [true, false]) {
        done.length = 0;
        const id = `s-${answered}`;
        const calls = [{ name: 'mark', input: { word: 'a' }, id: 'c1' }];
        // The first process ends at its question: its store is closed under it, as a kill would.
        const store = await openSqliteStore({ path: join(world.home, 'toolwright.db') });
        const first = await world.runtime({ preset: 'empty', tools: [mark], model: scripted(calls), store });
        const dying = await first.session({ id, interactive: true });
        const run = dying.run('go');
        const [ask] = (await waiting(first, 1)) as [AskRecord];
        await store.close();
        dying.cancel();
        dying.cancel();
        await run.result.catch(() => {});

        const clock = { ...systemClock, now: () => Date.now() + 20_000 };
        const second = await world.runtime({ preset: 'empty', tools: [mark], model: scripted('fine'), clock });
        const session = await second.session({ id });
        const repairs = await session.resume();
        expect(repairs.join('\n')).toContain("waits for a person's yes");
        expect(await second.asks.list()).toHaveLength(1);
        expect(done).toEqual([]);
        if (answered) expect((await second.asks.resolve(ask.id, yes(ask))).outcome).toBe('resolved');
        expect(await session.run('and now?').result).toMatchObject({ reason: 'stop', text: 'fine' });
        expect(done).toEqual(answered ? ['a'] : []);
        const messages = await session.messages();
        expect(checkTranscript(messages)).toEqual([]);
        expect(messages.find((message) => message.role === 'tool')?.content).toContain(
          answered ? 'marked a' : 'a new message came',
        );
        expect((await second.asks.get(ask.id))?.resolution?.outcome).toBe(answered ? 'approved' : 'superseded');
        await second.close();
      }
    }),
);

verifies('ask/cli', 'asks list shows what waits, asks answer answers it; a second answer is refused', () =>
  inWorld((world) =>
    withEnv(world.env, async () => {
      const at = ['--cwd', world.project];
      const runtime = await world.runtime({ preset: 'empty', tools: [mark] });
      const session = await runtime.session({ interactive: true });
      const result = session.call('mark', { word: 'cli' });
      const [ask] = (await waiting(runtime, 1)) as [AskRecord];
      const listed = await cli(['asks', 'list', ...at]);
      expect(listed.out).toContain(ask.id);
      expect(listed.out).toContain('"word": "cli"');
      expect((await cli(['asks', 'answer', ask.id, 'yes', '--hash', 'wrong', ...at])).err).toContain('wrong_hash');
      expect((await cli(['asks', 'answer', ask.id, 'maybe', ...at])).code).toBe(2);
      expect(await cli(['asks', 'answer', ask.id, 'yes', ...at])).toMatchObject({ code: 0 });
      expect((await result).content).toBe('marked cli');
      const again = await cli(['asks', 'answer', ask.id, 'no', '--json', ...at]);
      expect(again).toMatchObject({ code: 1 });
      expect(again.json()).toMatchObject({ outcome: 'already_resolved' });
    }),
  ),
);
