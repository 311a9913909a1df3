import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { createBackgroundTasks } from '../../runtime/background-tasks.ts';
import { commandEnvironment } from '../../sandbox/index.ts';
import { createFileOutputs } from '../../store/index.ts';
import { inTempFolder } from '../../testing/temp-folder.ts';
import { createToolRunner, type ToolRun, type ToolRunner } from '../../testing/tool-runner.ts';
import { awaitShell, killShell, readFile, runBash } from '../index.ts';

interface Data {
  exit_code: number | null;
  signal: string | null;
  task_id: string;
  status: string;
  stdout: string;
  matched_pattern?: boolean;
  matched_text?: string | null;
}
const dataOf = (result: ToolRun) => result.data as Data;

const inShell = (body: (run: ToolRunner['run'], root: string) => Promise<void>) =>
  inTempFolder(async (root) => {
    let n = 0;
    const tasks = createBackgroundTasks({ newId: () => (n++).toString(16).padStart(12, '0'), mask: (text) => text });
    const outputs = createFileOutputs({ folder: `${root}/outputs` });
    const env = commandEnvironment(process.env);
    const tools = createToolRunner([runBash, awaitShell, killShell, readFile], { root, env, tasks, outputs });
    try {
      await body(tools.run, root);
    } finally {
      await tasks.close();
      await tools.context.dispose();
    }
  });

const living = (text: string): boolean => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(text);

verifies('tools/background', 'a command that takes longer goes on, and its result is fetched', () =>
  inShell(async (run) => {
    const first = await run('run_bash', {
      command: 'echo begun; while [ ! -e go ]; do sleep 0.05; done; echo over; exit 3',
      block_until_ms: 400,
    });
    expect(dataOf(first)).toMatchObject({ status: 'running', exit_code: null });
    expect(dataOf(first).task_id).toMatch(/^shtask_[0-9a-f]{12}$/);
    expect(first.text).toMatch(/begun[\s\S]*still running[\s\S]*await_shell[\s\S]*kill_shell/);
    expect(first.error).toBeUndefined();
    const { task_id } = dataOf(first);
    const still = await run('await_shell', { task_id, block_until_ms: 0 });
    expect(dataOf(still).status).toBe('running');
    const path = /read_file (outputs\/\S+?)\]/.exec(first.text)?.[1];
    expect((await run('read_file', { path })).text).toContain('begun');
    await run('run_bash', { command: 'touch go' });
    const last = await run('await_shell', { task_id });
    expect(dataOf(last)).toMatchObject({ status: 'completed', exit_code: 3, task_id, matched_pattern: false });
    expect(last.text).toMatch(/begun\nover/);
    expect((await run('read_file', { path })).text).toContain('over');
  }),
);

verifies('tools/background', 'background returns at once; kill_shell ends the whole tree, strays too', () =>
  inShell(async (run) => {
    const command = 'setsid sleep 81.01 & sleep 81.02 | cat';
    const { task_id, status } = dataOf(await run('run_bash', { command, background: true }));
    expect(status).toBe('running');
    const killed = await run('kill_shell', { task_id });
    expect(dataOf(killed)).toMatchObject({ status: 'killed', task_id });
    expect(killed.error).toBeUndefined();
    expect(living('sleep 81.0')).toBe(false);
    expect((await run('kill_shell', { task_id })).text).toContain('had ended already: killed');
  }),
);

verifies('tools/background', 'the time limit counts in the background too', () =>
  inShell(async (run) => {
    const { task_id } = dataOf(
      await run('run_bash', { command: 'echo up; sleep 82.01', timeout_ms: 700, background: true }),
    );
    const result = await run('await_shell', { task_id });
    expect(dataOf(result).status).toBe('timeout');
    expect(result.error?.code).toBe('timeout');
    expect(living('sleep 82.0')).toBe(false);
  }),
);

verifies('tools/await-shell', 'a pattern ends the wait and what it found is the truth', () =>
  inShell(async (run) => {
    const command = 'echo first; sleep 0.2; printf "listening on 4170"; while [ ! -e go ]; do sleep 0.05; done; echo';
    const { task_id } = dataOf(await run('run_bash', { command, background: true }));
    const found = await run('await_shell', { task_id, pattern: 'listening on \\d+$' });
    expect(dataOf(found)).toMatchObject({
      status: 'running',
      matched_pattern: true,
      matched_text: 'listening on 4170',
    });
    const again = await run('await_shell', { task_id, pattern: '^first$' });
    expect(dataOf(again).matched_text).toBe('first');
    const none = await run('await_shell', { task_id, pattern: 'nowhere', block_until_ms: 50 });
    expect(dataOf(none)).toMatchObject({ status: 'running', matched_pattern: false, matched_text: null });
    await run('run_bash', { command: 'touch go' });
    expect(dataOf(await run('await_shell', { task_id, pattern: 'nowhere' }))).toMatchObject({
      status: 'completed',
      matched_pattern: false,
    });
  }),
);

verifies('tools/await-shell', 'a pattern is looked for on each stream by itself, over the borders of pieces', () =>
  inShell(async (run) => {
    const command = [
      'printf "ready> "; printf "Password: " >&2; sleep 0.2',
      'printf "Listen"; printf "ing" >&2; sleep 0.2',
      'printf "\\none\\n"; sleep 0.2; printf "two\\n"; sleep 30',
    ].join('; ');
    const { task_id } = dataOf(await run('run_bash', { command, background: true }));
    const look = async (pattern: string, block_until_ms = 5_000) =>
      dataOf(await run('await_shell', { task_id, pattern, block_until_ms })).matched_text;
    expect(await look('^Password: $')).toBe('Password: ');
    expect(await look('one\\ntwo')).toBe('one\ntwo');
    expect(await look('Listening', 100)).toBe(null);
    expect(await look('Password: ing', 100)).toBe('Password: ing');
  }),
);

verifies('tools/await-shell', 'bad patterns, endless ones and unknown ids are clear errors', () =>
  inShell(async (run) => {
    const { task_id } = dataOf(
      await run('run_bash', { command: `printf 'a%.0s' $(seq 1 40); echo '!'; sleep 83`, background: true }),
    );
    await run('await_shell', { task_id, pattern: '!' });
    const fault = async (input: object) => (await run('await_shell', { task_id, ...input })).error;
    expect(await fault({ pattern: '(' })).toMatchObject({ code: 'invalid_input', message: /pattern: .*\(/ });
    expect(await fault({ pattern: '^(a+)+$', block_until_ms: 100 })).toMatchObject({
      code: 'invalid_input',
      message: /longer than 100 ms/,
    });
    expect(await fault({ task_id: 'shtask_ffffffffffff' })).toMatchObject({ code: 'invalid_input' });
    expect((await run('kill_shell', { task_id: '../x' })).error?.code).toBe('invalid_input');
  }),
);

verifies('tools/background', 'when too many run, a command that should not wait is ended and told', () =>
  inShell(async (run) => {
    for (let i = 0; i < 32; i++) await run('run_bash', { command: `sleep 84.0${i}`, background: true });
    const refused = await run('run_bash', { command: 'sleep 84.99', background: true });
    expect(refused.error).toMatchObject({ code: 'failed', message: expect.stringContaining('too many') });
    const waited = await run('run_bash', { command: 'sleep 0.3; echo over', block_until_ms: 10 });
    expect(dataOf(waited).status).toBe('completed');
  }).then(() => expect(living('sleep 84.')).toBe(false)),
);

verifies('tools/prompt', 'a command that wanted to ask is told so, with what to do', () =>
  inShell(async (run) => {
    const text = async (command: string) => (await run('run_bash', { command })).text;
    expect(await text(`printf 'Password: '; read x; exit 1`)).toContain('wanted to ask on a terminal');
    expect(await text(`bash -c 'read x </dev/tty'`)).toContain('wanted to ask');
    expect(await text(`printf 'Continue? [y/N] '; read x; exit 1`)).toContain('--yes');
    expect(await text(`echo 'the password: is long'; echo done`)).not.toContain('wanted to ask');
  }),
);
