import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { cli, withEnv } from './cli-world.ts';
import { inWorld, type World } from './runtime-world.ts';

const BIN = join(import.meta.dirname, '../../bin/toolwright.js');

verifies('cli/chat', 'without a terminal each line is answered, a backslash joins two, /exit leaves', () =>
  inWorld(async ({ project, env }) => {
    const child = spawn(process.execPath, [BIN, 'chat', '--allow', 'run_bash'], { cwd: project, env });
    let out = '';
    child.stdout.on('data', (bytes) => {
      out += bytes;
    });
    child.stdin.end(
      'run_bash {"command":"echo one"}\nrun_bash {"command": \\\n"echo two"}\n/exit\nrun_bash {"command":"echo three"}\n',
    );
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect(out).toContain('│ one');
    expect(out).toContain('│ two');
    expect(out).not.toContain('three');
  }),
);

verifies('cli/chat', 'an interrupt cancels what runs and keeps the conversation; a second one leaves', () =>
  inWorld(async ({ project, env }) => {
    const child = spawn(process.execPath, [BIN, 'chat', '--allow', 'run_bash'], { cwd: project, env });
    let out = '';
    const seen = (text: string) =>
      new Promise<void>((resolve) => {
        const look = () => out.includes(text) && resolve();
        child.stdout.on('data', (bytes) => {
          out += bytes;
          look();
        });
        look();
      });
    child.stdin.write('run_bash {"command":"echo began; sleep 20"}\n');
    await seen('| began');
    child.kill('SIGINT');
    await seen('run ended: cancelled');
    child.stdin.write('run_bash {"command":"echo again"}\n');
    await seen('│ again');
    // The reply may not have ended yet: one interrupt would then only cancel it.
    const leaving = setInterval(() => child.kill('SIGINT'), 200);
    const [code, signal] = await once(child, 'exit');
    clearInterval(leaving);
    // One more than it took may find nobody listening any more; a shell calls that 130, too.
    expect(signal === 'SIGINT' ? 130 : code).toBe(130);
  }),
);

const inCliWorld = (body: (world: World & { at: string[] }) => Promise<void>) =>
  inWorld((world) => withEnv(world.env, () => body({ ...world, at: ['--cwd', world.project] })));
const ECHO = (text: string) => `run_bash ${JSON.stringify({ command: `echo ${text}` })}`;

verifies('cli/chat', 'with --json there is one event a line and nothing else, from all of its runs', () =>
  inCliWorld(async ({ at }) => {
    const input = `glob_files {"pattern":"*"}\n/help\nglob_files \\\n{"pattern":"*.md"}\\`;
    const printed = await cli(['chat', '--json', ...at], { input });
    expect(printed.code).toBe(0);
    const events = printed.lines<{ type: string; session_id: string; seq: number; name?: string }>();
    expect(events.filter((event) => event.type === 'run_end')).toHaveLength(2);
    expect(events.filter((event) => event.type === 'tool_result').map((event) => event.name)).toEqual([
      'glob_files',
      'glob_files',
    ]);
    expect(new Set(events.map((event) => event.session_id)).size).toBe(1);
    const seqs = events.map((event) => event.seq);
    expect(new Set(seqs).size).toBe(seqs.length);
    expect(printed.err).toContain('/exit leaves');
  }),
);

verifies('cli/chat', 'a reply that fails is told, the next prompt is answered, and the exit code says it', () =>
  inCliWorld(async ({ at, project }) => {
    const steps = [{ error: { message: 'out of order', retryable: false } }, { thinking: 'Hm.', text: 'Here I am.' }];
    await writeFile(join(project, 's.json'), JSON.stringify(steps));
    const printed = await cli(['chat', '--model', 'script:s.json', '--thinking', ...at], { input: 'one\ntwo\n' });
    expect(printed).toMatchObject({ code: 1, err: expect.stringContaining('out of order') });
    expect(printed.out).toMatch(/Hm\.\s*Here I am\./);
  }),
);

verifies('cli/chat', 'a session is gone on with; what had to be mended is told', () =>
  inCliWorld(async ({ at, runtime }) => {
    const made = await runtime();
    const session = await made.session();
    await session.run('hello').result;
    const printed = await cli(['chat', '--session', session.id, ...at], { input: 'hello again\n' });
    expect(printed).toMatchObject({ code: 0, err: expect.stringContaining(`session ${session.id}`) });
    expect(await made.sessions.messages(session.id)).toHaveLength(4);
    expect(await cli(['chat', '--session', 'nowhere', ...at])).toMatchObject({ code: 1 });
  }),
);

verifies('cli/chat', 'at a terminal prompts are asked for and kept for the next time; leaving is no failure', () =>
  inCliWorld(async ({ at, home }) => {
    const lines = ['/help', 'hello \\', 'there', '/exit'];
    const printed = await cli(['chat', ...at], {
      person: (text, { type }) => {
        if (!/^(> |… )/.test(text)) return;
        const line = lines.shift();
        if (line !== undefined) setImmediate(type, line);
      },
    });
    expect(printed).toMatchObject({ code: 0, out: expect.stringContaining('/exit leaves') });
    expect(printed.out).toContain('… ');
    expect(await readFile(join(home, 'history'), 'utf8')).toBe('hello  there\n');
    expect((await stat(join(home, 'history'))).mode & 0o777).toBe(0o600);
  }),
);

verifies('cli/chat', 'after a cancelled reply one interrupt at the prompt leaves', () =>
  inCliWorld(async ({ at }) => {
    let prompts = 0;
    const printed = await cli(['chat', '--allow', 'run_bash', ...at], {
      person: (text, { type, interrupt }) => {
        if (text.includes('| began')) setImmediate(interrupt);
        if (text.startsWith('> ')) setImmediate(++prompts === 1 ? () => type(ECHO('began; sleep 20')) : interrupt);
      },
    });
    expect(printed.out).toContain('run ended: cancelled');
    expect([printed.code, prompts]).toEqual([130, 2]);
  }),
);

verifies('cli/ask', 'at a terminal a person is asked: no, yes once, from now on; another answer is asked again', () =>
  inCliWorld(async ({ at }) => {
    const lines = [ECHO('first'), ECHO('second'), ECHO('third'), ECHO('fourth'), '/exit'];
    // The widest of the rules that are offered.
    const answers = ['n', 'what?', 'y', 'widest'];
    const asked: string[] = [];
    const printed = await cli(['chat', ...at], {
      person: (text, { type }) => {
        if (text.includes('Allow it?')) {
          asked.push(text);
          const answer = answers.shift() ?? 'n';
          setImmediate(type, answer === 'widest' ? `s${/s1-(\d)/.exec(text)?.[1] ?? 1}` : answer);
        } else if (text.startsWith('> ')) setImmediate(type, lines.shift() ?? '/exit');
      },
    });
    expect(asked).toHaveLength(4);
    expect(printed.out).toMatch(
      /● run_bash .*\n.*no rule speaks of it.*\n.*\{\n.*"command": "echo first"\n.*\}\n(?: +\d .*\n)+.*Allow it\?/,
    );
    expect(printed.out).not.toContain('│ first');
    for (const word of ['second', 'third', 'fourth']) expect(printed.out).toContain(`│ ${word}`);
    expect(printed.out).toMatch(/✗ run_bash denied/);
  }),
);

verifies(
  'cli/ask',
  'run asks, too; calls of one turn are asked for one after the other; an interrupt is no answer',
  () =>
    inCliWorld(async ({ at }) => {
      const prompt = `${ECHO('one')}\n${ECHO('two')}`;
      let asked = 0;
      let isDone = false;
      let isInterrupted = false;
      const printed = await cli(['run', prompt, ...at], {
        person: (text, { type, interrupt }) => {
          if (text.includes('Allow it?') && ++asked === 1) setImmediate(type, 'y');
          isDone ||= text.includes('│ one');
          if (isDone && asked === 2 && !isInterrupted) {
            isInterrupted = true;
            setImmediate(interrupt);
          }
        },
      });
      expect([printed.code, asked]).toEqual([130, 2]);
      expect(printed.out).toContain('│ one');
      expect(printed.out).not.toContain('│ two');
      const silent = await cli(['run', ECHO('one'), '--json', ...at], { person: () => {} });
      expect(silent.lines().find((event) => event['type'] === 'tool_result')).toMatchObject({
        error: { code: 'denied' },
      });
    }),
);
