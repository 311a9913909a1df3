import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { textOf } from '../../src/core/index.ts';
import { verifies } from '../verifies.ts';
import { cli, withEnv } from './cli-world.ts';
import { collect, inWorld, scripted, type World } from './runtime-world.ts';

const RUNTIME = new URL('../../dist/runtime/index.js', import.meta.url).href;
const living = (program: string): boolean =>
  `\n${execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })}`.includes(`\n${program}`);
const SECRET = 'ghp_x7Kd93mQpLzR2vTb8YwNc4HsJf6GaE1UoI5X';
const allow = { allow: ['run_bash'] };

/** A process that has a background command under way in the session `s`, and stays. */
async function owner(world: World, command: string): Promise<{ child: ChildProcess; taskId: string }> {
  const script = `
    const { createRuntime } = await import(${JSON.stringify(RUNTIME)});
    const runtime = await createRuntime({ cwd: ${JSON.stringify(world.project)}, env: process.env });
    const session = await runtime.session({ id: 's', model: 'manual', allow: ['run_bash'] });
    const { data } = await session.call('run_bash', { command: ${JSON.stringify(command)}, background: true });
    while ((await runtime.tasks.get(data.task_id)) === undefined) await new Promise((go) => setTimeout(go, 10));
    console.log(data.task_id);
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: process.env['PATH'], ...world.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const taskId of createInterface({ input: child.stdout })) return { child, taskId };
  throw new Error('the owner ended early');
}

const ended = (child: ChildProcess) =>
  new Promise((resolve) => (child.exitCode ?? child.signalCode) === null && child.once('exit', resolve));

verifies('runtime/tasks-kept', 'another process sees a task, ends it with its strays, and shows what it printed', () =>
  inWorld(async (world) => {
    const { child, taskId } = await owner(world, 'echo up; setsid sleep 83.11 & sleep 83.12');
    try {
      const here = await world.runtime({});
      expect(await here.tasks.get(taskId)).toMatchObject({ sessionId: 's', status: 'running', kind: 'shell' });
      const listed = await here.tasks.list({ sessionId: 's' });
      expect(listed.map(({ id, status }) => [id, status])).toEqual([[taskId, 'running']]);
      expect(await here.tasks.stop(taskId)).toMatchObject({ status: 'killed', tail: 'up' });
      expect(living('sleep 83.1')).toBe(false);
      expect(await here.tasks.stop(taskId)).toMatchObject({ status: 'killed' });
      await expect(here.tasks.stop('shtask_none')).rejects.toMatchObject({ code: 'not_found' });
    } finally {
      child.kill('SIGKILL');
    }
  }),
);

verifies('runtime/tasks-kept', 'what a killed process ran is lost, is ended, and is told once', () =>
  inWorld(async (world) => {
    const { child, taskId } = await owner(world, 'echo up; setsid sleep 83.21 & sleep 83.22');
    const gone = ended(child);
    child.kill('SIGKILL');
    await gone;
    expect(living('sleep 83.2')).toBe(true);
    const model = scripted('one', 'two');
    const here = await world.runtime({ model });
    const session = await here.session({ id: 's', ...allow });
    const first = await collect(session.run('go on'));
    const told = first.filter((event) => event.type === 'notification');
    expect(told).toMatchObject([{ taskId, status: 'lost' }]);
    expect(living('sleep 83.2')).toBe(false);
    expect((await session.messages()).map(({ content }) => textOf(content)).join('\n')).toContain('was lost');
    expect((await collect(session.run('again'))).filter((event) => event.type === 'notification')).toEqual([]);
    await session.close();
    const later = await (await world.runtime({ model: scripted('three') })).session({ id: 's' });
    expect((await collect(later.run('more'))).filter((event) => event.type === 'notification')).toEqual([]);
    expect(await here.tasks.get(taskId)).toMatchObject({ status: 'lost', told: true });
  }),
);

verifies('runtime/tasks-kept', 'a session that is closed ends its tasks, and the next process is told', () =>
  inWorld(async (world) => {
    const house = await world.runtime({ model: scripted('well') });
    const session = await house.session({ id: 's', ...allow });
    const command = `echo ${SECRET}; sleep 83.31`;
    const { data } = await session.call('run_bash', { command, background: true });
    const { task_id } = data as { task_id: string };
    await expect.poll(async () => (await house.tasks.get(task_id))?.status).toBe('running');
    await expect.poll(() => living('sleep 83.31')).toBe(true);
    await session.close();
    const kept = await house.tasks.get(task_id);
    expect(kept).toMatchObject({ status: 'killed', told: false });
    expect(JSON.stringify(kept)).not.toContain(SECRET);
    const next = await house.session({ id: 's', ...allow });
    const told = (await collect(next.run('go on'))).filter((event) => event.type === 'notification');
    expect(told).toMatchObject([{ taskId: task_id, status: 'killed' }]);
    expect(JSON.stringify(told)).not.toContain(SECRET);
  }),
);

verifies('runtime/tasks-kept', 'what a task printed is masked before it is cut', () =>
  inWorld(async (world) => {
    // The end of the secret, which alone has no form, is the beginning of what is told.
    await writeFile(join(world.project, 'out.txt'), `${SECRET}${' z'.repeat(250)}`);
    const house = await world.runtime({ model: scripted('well') });
    const session = await house.session(allow);
    await session.call('run_bash', { command: 'sleep 0.3; cat out.txt', background: true });
    await expect.poll(async () => (await house.tasks.list())[0]?.status).toBe('completed');
    const events = await collect(session.run('go on'));
    expect(events.filter((event) => event.type === 'notification')).toHaveLength(1);
    const told = JSON.stringify([events, await session.messages(), await house.tasks.list()]);
    expect(told).toContain('z z z');
    expect(told).not.toContain(SECRET.slice(-8));
  }),
);

verifies('cli/tasks', 'list, show and stop, for people and as JSON', () =>
  inWorld((world) =>
    withEnv(world.env, async () => {
      const tasks = (...argv: string[]) => cli(['tasks', ...argv, '--cwd', world.project]);
      expect((await tasks('list')).out).toBe('No background tasks.\n');
      const { child, taskId } = await owner(world, 'echo up; sleep 83.41');
      try {
        expect((await tasks('list', '--json')).json<unknown[]>()).toMatchObject([
          { task_id: taskId, session_id: 's', status: 'running', command: 'echo up; sleep 83.41', exit_code: null },
        ]);
        expect((await tasks('list')).out).toMatch(new RegExp(`^${taskId}  running +[\\d.]+ s  echo up`));
        expect((await tasks('list', '--session', 'other')).out).toBe('No background tasks.\n');
        expect((await tasks('show', taskId)).out).toContain('session  s');
        const stopped = await tasks('stop', taskId, '--json');
        expect([stopped.code, stopped.json()['status']]).toEqual([0, 'killed']);
        const shown = await tasks('show', taskId, '--json');
        expect(shown.json()).toMatchObject({ status: 'killed', signal: 'SIGTERM', tail: 'up' });
        expect((await tasks('show', taskId)).out).toContain('the end of its output:\n  up\n');
      } finally {
        child.kill('SIGKILL');
      }
      for (const command of ['show', 'stop']) {
        const { code, err } = await tasks(command, 'shtask_none');
        expect([code, err]).toEqual([1, expect.stringContaining('toolwright tasks list')]);
      }
      expect((await tasks('show')).code).toBe(2);
    }),
  ),
);
