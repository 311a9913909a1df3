import { expect } from 'vitest';
import { checkTranscript, defineTool, type ToolContext } from '../../src/core/index.ts';
import { verifies } from '../verifies.ts';
import { collect, inWorld, scripted } from './runtime-world.ts';

const object = { type: 'object', properties: { text: { type: 'string' } } } as const;
const echo = defineTool<{ text?: string }>({
  name: 'echo',
  description: 'Gives its text back.',
  input: object,
  traits: { readOnly: true },
  run: ({ text = '' }) => text,
});
/** Runs until its signal is aborted. */
const waiting = (started: () => void) =>
  defineTool({
    name: 'wait',
    description: 'Waits until it is cancelled.',
    input: object,
    traits: { readOnly: true },
    run: (_input, { signal }: ToolContext) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        started();
      }),
  });

verifies('runtime/session', 'a prompt runs to its end; events are in order and what is kept is in the store', () =>
  inWorld(async ({ runtime }) => {
    const made = await runtime({ preset: 'empty', tools: [echo] });
    const model = scripted(
      [
        { name: 'echo', input: { text: 'one' } },
        { name: 'echo', input: { text: 'two' } },
      ],
      'done',
    );
    const session = await made.session({ model });
    const run = session.run('go\nsecond line');
    const events = await collect(run);
    expect(events[0]?.type).toBe('run_start');
    expect(events.at(-1)).toMatchObject({ type: 'run_end', reason: 'stop' });
    expect(events.filter((event) => event.type === 'tool_result')).toHaveLength(2);
    const seqs = events.map((event) => event.seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    expect(await run.result).toMatchObject({ reason: 'stop', steps: 2, text: 'done', sessionId: session.id });

    const messages = await session.messages();
    expect(checkTranscript(messages)).toEqual([]);
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
    expect(messages.slice(2, 4).map((message) => message.content)).toEqual(['one', 'two']);
    const shown = events.filter((event) => event.type === 'message').map((event) => event.message);
    expect(shown).toEqual(messages);
    const [record] = await made.sessions.list();
    expect(record).toMatchObject({
      id: session.id,
      summary: 'go',
      status: 'idle',
      model: 'test/scripted',
      usage: { inputTokens: 20, outputTokens: 6 },
    });
  }),
);

verifies('runtime/session', 'another process goes on with the conversation', () =>
  inWorld(async ({ runtime }) => {
    const first = await runtime({ preset: 'empty', tools: [echo] });
    const begun = await first.session({ model: scripted([{ name: 'echo', input: {}, id: 'same' }], 'first') });
    await begun.run('one').result;
    await first.close();
    const second = await runtime({ preset: 'empty', tools: [echo] });
    const session = await second.session({
      id: begun.id,
      model: scripted([{ name: 'echo', input: {}, id: 'same' }], 'second'),
    });
    await session.run('two').result;
    const messages = await session.messages();
    expect(checkTranscript(messages)).toEqual([]);
    expect(messages).toHaveLength(8);
  }),
);

verifies('runtime/session', 'after its end is read the session is free at once', () =>
  inWorld(async ({ runtime }) => {
    const made = await runtime({ preset: 'empty' });
    const other = await runtime({ preset: 'empty' });
    const session = await made.session({ model: scripted('a', 'b') });
    for (let round = 0; round < 3; round++) {
      for await (const event of session.run('go')) {
        if (event.type !== 'run_end') continue;
        const elsewhere = await other.session({ id: session.id, model: scripted('c') });
        expect(await elsewhere.run('me too').result).toMatchObject({ reason: 'stop' });
      }
    }
    expect(checkTranscript(await session.messages())).toEqual([]);
    expect(await session.messages()).toHaveLength(12);
  }),
);

verifies('runtime/lease', 'a second run is busy, in the same process and in another', () =>
  inWorld(async ({ runtime }) => {
    let started = () => {};
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const made = await runtime({ preset: 'empty', tools: [waiting(() => started())] });
    const session = await made.session({ model: scripted([{ name: 'wait', input: {} }]) });
    const run = session.run('go');
    await running;
    await expect(session.run('again').result).rejects.toMatchObject({ code: 'busy' });
    await expect(collect(session.run('again'))).rejects.toMatchObject({ code: 'busy' });
    const elsewhere = await (await runtime({ preset: 'empty' })).session({ id: session.id, model: scripted('x') });
    await expect(elsewhere.run('me').result).rejects.toMatchObject({ code: 'busy' });
    session.cancel();
    expect(await run.result).toMatchObject({ reason: 'cancelled' });
    expect(await elsewhere.run('me').result).toMatchObject({ reason: 'stop' });
  }),
);

verifies('runtime/cancel', 'every call has its result and the run its end', () =>
  inWorld(async ({ runtime }) => {
    const stop = new AbortController();
    const made = await runtime({ preset: 'empty', tools: [echo, waiting(() => setImmediate(() => stop.abort()))] });
    const session = await made.session({
      model: scripted([
        { name: 'echo', input: { text: 'kept' } },
        { name: 'wait', input: {} },
      ]),
    });
    const events = await collect(session.run('go', { signal: stop.signal }));
    expect(events.at(-1)).toMatchObject({ type: 'run_end', reason: 'cancelled' });
    const results = events.flatMap((event) => (event.type === 'tool_result' ? [event.result] : []));
    expect(results.map((result) => [result.name, result.error?.code])).toEqual([
      ['echo', undefined],
      ['wait', 'cancelled'],
    ]);
    expect(checkTranscript(await session.messages())).toEqual([]);
  }),
);

verifies('runtime/cancel', 'leaving the loop of events cancels and waits for the end', () =>
  inWorld(async ({ runtime }) => {
    const made = await runtime({ preset: 'empty', tools: [waiting(() => {})] });
    const session = await made.session({ model: scripted([{ name: 'wait', input: {} }], 'x') });
    for await (const event of session.run('go')) if (event.type === 'tool_call') break;
    expect(checkTranscript(await session.messages())).toEqual([]);
    expect(await session.run('again').result).toMatchObject({ reason: 'stop' });
  }),
);

verifies('runtime/close', 'closing ends a run that goes on, and a closed session says so', () =>
  inWorld(async ({ runtime }) => {
    const made = await runtime({ preset: 'empty', tools: [waiting(() => {})] });
    const session = await made.session({ model: scripted([{ name: 'wait', input: {} }]) });
    const run = session.run('go');
    await made.close();
    expect(await run.result).toMatchObject({ reason: 'cancelled' });
    await expect(session.run('x').result).rejects.toMatchObject({ code: 'conflict' });
  }),
);

verifies(
  'runtime/call',
  'one tool through the whole executor: parsed, judged, journalled, not in the conversation',
  () =>
    inWorld(async ({ runtime }) => {
      const writes = defineTool({
        name: 'writes',
        description: 'Changes something.',
        input: object,
        run: () => 'changed',
      });
      const made = await runtime({ preset: 'empty', tools: [echo, writes] });
      const session = await made.session();
      expect(await session.call('echo', { text: 'hello' })).toMatchObject({ name: 'echo', content: 'hello' });
      expect(await session.call('echo', { text: 7 })).toMatchObject({ error: { code: 'invalid_input' } });
      expect(await session.call('ecko', {})).toMatchObject({ error: { code: 'unknown_tool' } });
      expect(await session.call('writes', {})).toMatchObject({ error: { code: 'denied' } });
      const trusted = await made.session({ allow: ['writes'] });
      expect(await trusted.call('writes', {})).toMatchObject({ content: 'changed' });
      expect(await session.messages()).toEqual([]);
    }),
);

verifies('runtime/secrets', 'a secret of the environment reaches neither result nor transcript', () =>
  inWorld(async ({ runtime, env }) => {
    const leak = defineTool({
      name: 'leak',
      description: 'Tells too much.',
      input: object,
      traits: { readOnly: true },
      run: () => 'the key is sk-very-secret-1234 indeed',
    });
    const made = await runtime({
      preset: 'empty',
      tools: [leak],
      env: { ...env, SOME_API_KEY: 'sk-very-secret-1234' },
    });
    const session = await made.session({ model: scripted([{ name: 'leak', input: {} }], 'ok') });
    await session.run('go').result;
    const text = JSON.stringify(await session.messages());
    expect(text).toContain('the key is');
    expect(text).not.toContain('sk-very-secret-1234');
  }),
);
