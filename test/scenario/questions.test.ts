import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Ask, AskRecord, AskReply, Runtime, Session } from '../../src/runtime/index.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { verifies } from '../verifies.ts';
import { cli, withEnv } from './cli-world.ts';
import { inWorld, scripted, type World } from './runtime-world.ts';

const COLOURS = ['red', { value: 'blue', label: 'the blue one' }];
const FORM = {
  title: 'The release',
  questions: [
    { id: 'colour', type: 'single_choice', title: 'Colour?', options: COLOURS, default: 'blue' },
    { id: 'parts', type: 'multiple_choice', title: 'Parts?', options: ['a', 'b', 'c'] },
    { id: 'name', type: 'text', title: 'Name?', placeholder: 'short' },
  ],
};

/** A session whose person answers with these replies, in order. */
async function answeredBy(world: World, ...replies: AskReply[]): Promise<{ session: Session; asks: Ask[] }> {
  const asks: Ask[] = [];
  const runtime = await world.runtime();
  const onAsk = async (ask: Ask): Promise<AskReply> => {
    asks.push(ask);
    return replies.shift() ?? { outcome: 'unanswered' };
  };
  return { session: await runtime.session({ onAsk }), asks };
}

async function waiting(runtime: Runtime): Promise<AskRecord> {
  for (let tries = 0; tries < 1_000; tries++) {
    const [ask] = await runtime.asks.list();
    if (ask !== undefined) return ask;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('nothing is asked');
}
const answers = (value: Record<string, string | string[]>): AskReply => ({ outcome: 'answered', answers: value });

verifies('ask/tools', 'answers come back as given; an empty one, a refusal and none are told apart', () =>
  inWorld(async (world) => {
    const { session, asks } = await answeredBy(
      world,
      answers({ answer: 'blue' }),
      answers({ answer: ['a', 'c'] }),
      answers({ answer: '' }),
      { outcome: 'declined', reason: 'not my business' },
      { outcome: 'unanswered' },
      answers({ colour: 'red', parts: [], name: '' }),
      // What no option has is no answer.
      answers({ answer: 'green' }),
    );
    const ask = (input: object) => session.call('ask_user', { question: 'Which?', ...input });
    expect(JSON.parse(String((await ask({ options: COLOURS })).content))).toEqual({
      outcome: 'answered',
      answer: 'blue',
    });
    expect((await ask({ options: ['a', 'b', 'c'], multiple: true })).data).toEqual({
      outcome: 'answered',
      answer: ['a', 'c'],
    });
    const empty = await ask({});
    expect([empty.data, empty.error]).toEqual([{ outcome: 'answered', answer: '' }, undefined]);
    expect((await ask({ question: 'Why?' })).data).toEqual({ outcome: 'declined', reason: 'not my business' });
    const none = await ask({ question: 'When?' });
    expect(none).toMatchObject({ data: { outcome: 'unanswered' }, error: { code: 'unanswered', retryable: false } });
    const form = await session.call('questionnaire', FORM);
    expect(form.data).toEqual({ outcome: 'answered', answers: { colour: 'red', parts: [], name: '' } });
    const wrong = await ask({ question: 'Colour?', options: ['red', 'blue'] });
    expect(wrong.error?.code).toBe('unanswered');
    expect(asks.map(({ kind, tool }) => `${kind} ${tool}`)).toEqual([
      ...Array<string>(5).fill('question ask_user'),
      'question questionnaire',
      'question ask_user',
    ]);
    expect(asks[5]?.questions?.[0]).toMatchObject({ id: 'colour', default: 'blue', type: 'single_choice' });
  }),
);

verifies('ask/tools', 'nothing asks for permission to ask, and with nobody there it is unavailable', () =>
  inWorld(async (world) => {
    const runtime = await world.runtime();
    for (const [tool, input] of [
      ['ask_user', { question: 'Which?' }],
      ['questionnaire', FORM],
    ] as const) {
      for (const mode of ['standard', 'strict'] as const) {
        const alone = await runtime.session({ mode });
        const { error } = await alone.call(tool, input);
        expect(error, `${tool} ${mode}`).toMatchObject({ code: 'unavailable', hint: expect.stringContaining('reply') });
        await alone.close();
      }
    }
    expect(await runtime.asks.list({ all: true })).toEqual([]);
  }),
);

verifies('ask/tools', 'a form that nobody could answer is refused with the place of its fault', () =>
  inWorld(async (world) => {
    const { session, asks } = await answeredBy(world);
    const one = (more: object) => ({ title: 't', questions: [{ id: 'q', title: 'Q?', type: 'text', ...more }] });
    const faults: [string, object, string][] = [
      ['ask_user', { question: ' ' }, 'question'],
      ['ask_user', { question: 'Q?', multiple: true }, 'multiple'],
      ['ask_user', { question: 'Q?', options: ['a', { value: 'a' }] }, 'options'],
      ['ask_user', { question: 'Q?', timeout_s: 0 }, 'timeout_s'],
      ['questionnaire', one({ type: 'single_choice' }), 'options'],
      ['questionnaire', one({ options: ['a', 'b'] }), 'options'],
      ['questionnaire', one({ type: 'single_choice', options: ['a', 'b'], default: 'c' }), 'default'],
      ['questionnaire', one({ type: 'multiple_choice', options: ['a', 'b'], default: 'a' }), 'default'],
      ['questionnaire', { title: 't', questions: [FORM.questions[2], FORM.questions[2]] }, 'questions'],
    ];
    for (const [tool, input, place] of faults) {
      const { error } = await session.call(tool, input);
      expect(error, JSON.stringify(input)).toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining(place),
      });
    }
    expect(asks).toEqual([]);
  }),
);

verifies('ASK-01', 'ask_user: no answer in time, a late one, one for the next question, a second one, a cancel', () =>
  inWorld(async (world) => {
    const clock = createVirtualClock();
    const store = await openSqliteStore({ path: join(world.home, 'own.db'), clock });
    const runtime = await world.runtime({ store, clock });
    try {
      const session = await runtime.session({ interactive: true });
      const say = ({ id, sessionId, hash }: AskRecord, answer: string) =>
        runtime.asks.resolve(id, { sessionId, hash, decision: 'answered', answers: { answer }, by: 'test' });
      const first = session.call('ask_user', { question: 'one?', timeout_s: 1 });
      const q1 = await waiting(runtime);
      await clock.advance(1_000);
      const none = await first;
      expect(none).toMatchObject({ error: { code: 'unanswered' }, data: { outcome: 'unanswered' } });
      expect(String(none.content)).toContain('no default');
      // A default is offered, and stands for nobody.
      const form = session.call('questionnaire', { ...FORM, questions: [FORM.questions[0]], wait_time: 600 });
      const q2 = await waiting(runtime);
      await clock.advance(599_000);
      expect((await runtime.asks.list()).map(({ id }) => id)).toEqual([q2.id]);
      await clock.advance(1_000);
      expect(await form).toMatchObject({ error: { code: 'unanswered' }, data: { outcome: 'unanswered' } });
      const third = session.call('ask_user', { question: 'three?' });
      const q3 = await waiting(runtime);
      expect((await say(q1, 'late')).outcome).toBe('expired');
      expect((await say({ ...q3, hash: q1.hash }, 'x')).outcome).toBe('wrong_hash');
      expect((await say(q3, 'mine')).outcome).toBe('resolved');
      expect((await say(q3, 'again')).outcome).toBe('already_resolved');
      expect((await third).data).toEqual({ outcome: 'answered', answer: 'mine' });
      const fourth = session.call('ask_user', { question: 'four?' });
      const q4 = await waiting(runtime);
      session.cancel();
      expect((await fourth).error?.code).toBe('cancelled');
      expect((await say(q4, 'x')).outcome).toBe('already_resolved');
      await session.close();
      expect(clock.pending).toBe(0);
    } finally {
      await runtime.close();
      await store.close();
    }
  }),
);

/** The command line in a process of its own. */
function toolwright(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number | null> {
  const child = fork(join(import.meta.dirname, '../../bin/toolwright.js'), [...args], {
    env,
    silent: true,
    execArgv: [],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
}

verifies('ask/tools', 'another process answers by asks answer, and the model goes on with it', () =>
  inWorld(async (world) => {
    const model = scripted([{ name: 'questionnaire', input: FORM }], 'thanks');
    const runtime = await world.runtime({ model });
    const session = await runtime.session({ interactive: true });
    const run = session.run('go');
    const ask = await waiting(runtime);
    const answer = (value: object) =>
      toolwright(['asks', 'answer', ask.id, JSON.stringify(value), '--cwd', world.project], world.env);
    expect(await answer({ colour: 'green', parts: [], name: '' })).not.toBe(0);
    const given = { colour: 'blue', parts: ['b'], name: 'n' };
    expect(await answer(given)).toBe(0);
    expect(await run.result).toMatchObject({ reason: 'stop', text: 'thanks' });
    const result = (await session.messages()).find((message) => message.role === 'tool');
    expect(JSON.parse(String(result?.content))).toEqual({ outcome: 'answered', answers: given });
  }),
);

async function inCli(body: (world: World, at: readonly string[]) => Promise<void>): Promise<void> {
  await inWorld((world) => withEnv(world.env, () => body(world, ['--cwd', world.project])));
}

verifies('ask/tools', 'a person at a terminal fills in a form; what fits no question is asked again', () =>
  inCli(async (world, at) => {
    const lines = ['7', '', '3, a', 'x y'];
    const printed = await cli(['run', `questionnaire ${JSON.stringify(FORM)}`, ...at], {
      person: (text, { type }) => {
        if (text.includes('/no: decline >')) setImmediate(type, lines.shift() ?? '/no');
      },
    });
    expect(lines).toEqual([]);
    expect(printed.out).toContain('2  the blue one');
    expect(printed.out).toContain('empty line: blue');
    expect(printed.out).toContain('a text (short)');
    const [kept] = await (await world.runtime()).asks.list({ all: true });
    expect(kept?.resolution).toMatchObject({
      outcome: 'answered',
      answers: { colour: 'blue', parts: ['c', 'a'], name: 'x y' },
    });
    const refused = await cli(['run', 'ask_user {"question":"Which?"}', ...at], {
      person: (text, { type }) => {
        if (text.includes('/no: decline >')) setImmediate(type, '/no');
      },
    });
    expect(refused.out).toContain('the person declined');
  }),
);

verifies('ask/withdrawn', 'what was answered elsewhere is withdrawn at the terminal, and the run goes on', () =>
  inCli(async (world, at) => {
    const elsewhere = await world.runtime();
    for (const [prompt, say] of [
      ['ask_user {"question":"Which?"}', { decision: 'answered', answers: { answer: 'from afar' } }],
      ['run_bash {"command":"echo from a$((1))far > f; cat f"}', { decision: 'denied', reason: 'from afar' }],
    ] as const) {
      let prompts = 0;
      let receipt: Promise<string> | undefined;
      const printed = await cli(['run', prompt, ...at], {
        person: (text) => {
          if (!/decline >|Allow it\?/.test(text)) return;
          prompts++;
          receipt ??= waiting(elsewhere).then(async ({ id, sessionId, hash }) => {
            return (await elsewhere.asks.resolve(id, { sessionId, hash, by: 'another terminal', ...say })).outcome;
          });
        },
      });
      expect(await receipt, prompt).toBe('resolved');
      expect(prompts).toBe(1);
      expect(printed.out).toContain('from afar');
      expect(await elsewhere.asks.list()).toEqual([]);
      const [record] = (await elsewhere.asks.list({ all: true })).filter(({ input }) =>
        prompt.includes(Object.values(input as object)[0]),
      );
      expect(record?.resolution?.by).toBe('another terminal');
    }
  }),
);

verifies('hooks/commands', 'run has the hooks of toolwright.json: the model is told of a block and of a note', () =>
  inCli(async (world, at) => {
    const hook = (matcher: string, command: string) => [{ matcher, hooks: [{ type: 'command', command }] }];
    const note = { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'mind the gap' } };
    const hooks = {
      PreToolUse: hook('Bash', 'echo "not on a Sunday" >&2; exit 2'),
      PostToolUse: hook('Read', `echo '${JSON.stringify(note)}'`),
    };
    await writeFile(join(world.home, 'toolwright.json'), JSON.stringify({ hooks }));
    await writeFile(join(world.project, 'a.txt'), 'alpha\n');
    const steps = [
      { calls: [{ name: 'run_bash', arguments: { command: 'echo x > made.txt' } }] },
      {
        expect: { lastResultIncludes: 'not on a Sunday' },
        calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }],
      },
      { expect: { lastResultIncludes: 'mind the gap' }, text: 'seen both' },
    ];
    await writeFile(join(world.project, 's.json'), JSON.stringify({ strict: true, steps }));
    const script = join(world.project, 's.json');
    const printed = await cli(['run', 'go', '--model', `script:${script}`, '--allow', 'run_bash', ...at]);
    expect([printed.code, printed.err]).toEqual([0, expect.not.stringContaining('expected')]);
    expect(printed.out).toContain('seen both');
    const listed = await cli(['tools', 'call', 'glob_files', '{"pattern":"*"}', ...at]);
    expect(listed.out).not.toContain('made.txt');
  }),
);
