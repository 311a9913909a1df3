import { readdir } from 'node:fs/promises';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { isToolwrightError, type OutputStream, randomId, systemClock } from '../../core/index.ts';
import { inTempFolder } from '../../testing/temp-folder.ts';
import { commandEnvironment } from './command-environment.ts';
import { findMembers } from './process-table.ts';
import { type ProcessOptions, type StartedProcess, startProcess } from './start-process.ts';

const env = commandEnvironment(process.env);

function start(command: string | string[], more: Partial<ProcessOptions> = {}): Promise<StartedProcess> {
  return startProcess(command, { cwd: '/', env, clock: systemClock, newId: randomId, ...more });
}

async function collect(command: string | string[], more: Partial<ProcessOptions> = {}) {
  const pieces: Record<OutputStream, Uint8Array[]> = { stdout: [], stderr: [] };
  const child = await start(command, { ...more, onOutput: (bytes, stream) => void pieces[stream].push(bytes) });
  const exit = await child.wait();
  const text = (stream: OutputStream) => Buffer.concat(pieces[stream]).toString();
  return { child, exit, stdout: text('stdout'), stderr: text('stderr') };
}

const living = async (child: StartedProcess) => findMembers({ id: child.id, pid: 0, ownsGroup: false });

verifies('process/streams', 'stdout and stderr apart, the exit code kept', async () => {
  const run = await collect('echo out; echo err >&2; exit 7');
  expect(run).toMatchObject({ stdout: 'out\n', stderr: 'err\n', exit: { code: 7, signal: null, leftChildren: false } });
});

verifies('process/streams', 'the streams can be opened by name', async () => {
  const run = await collect('echo e > /dev/stderr; echo o | tee /dev/stdout');
  expect(run).toMatchObject({ stdout: 'o\no\n', stderr: 'e\n' });
});

verifies('process/streams', 'without a listener the end of each stream is kept, by offset', async () => {
  const child = await start('printf 0123456789; printf err >&2');
  await child.wait();
  expect(Buffer.from(child.readOutput('stdout', 4, 3).bytes).toString()).toBe('456');
  expect(child.readOutput('stdout', 4, 3).next).toBe(7);
  expect(Buffer.from(child.readOutput('stderr', 0, 100).bytes).toString()).toBe('err');
  expect(child.readOutput('stdout', 99, 5)).toMatchObject({ next: 10 });
  const big = await start('head -c 5000000 /dev/zero; printf END');
  await big.wait();
  const { bytes, next } = big.readOutput('stdout', 0, 10_000_000);
  expect(next).toBe(5_000_003);
  expect(bytes.byteLength).toBeGreaterThanOrEqual(1_048_576);
  expect(bytes.byteLength).toBeLessThan(2 * 1_048_576 + 65_537);
  expect(Buffer.from(bytes.subarray(-3)).toString()).toBe('END');
});

verifies('process/exit', 'a child that holds the pipe keeps nobody waiting, and no line is lost', async () => {
  for (const command of ['sleep 30 & seq 1 20000', '(setsid sleep 30 &) ; seq 1 20000']) {
    const began = Date.now();
    const { child, exit, stdout } = await collect(command);
    expect(Date.now() - began).toBeLessThan(2_000);
    expect(exit).toEqual({ code: 0, signal: null, leftChildren: true });
    expect(stdout.split('\n')).toHaveLength(20_001);
    await child.kill();
    expect(await living(child)).toEqual([]);
  }
});

verifies('process/exit', 'a child that goes on writing is not waited for', async () => {
  for (const command of ['yes & echo done', '(while :; do echo x; sleep 0.01; done) & echo done']) {
    const began = Date.now();
    const { child, exit } = await collect(command);
    expect(Date.now() - began).toBeLessThan(3_000);
    expect(exit.leftChildren).toBe(true);
    await child.kill();
    expect(await living(child)).toEqual([]);
  }
});

verifies('process/exit', 'the signal that ended it is told', async () => {
  expect((await collect('kill -9 $$')).exit).toMatchObject({ code: null, signal: 'SIGKILL' });
});

verifies('process/kill', 'takes the whole tree, deaf ones and those in a session of their own too', async () => {
  const command =
    'trap "" TERM; (setsid bash -c "trap \\"\\" TERM; echo up; sleep 60") & (setsid env -i sleep 61) & sleep 60 | cat';
  let up = () => {};
  const ready = new Promise<void>((resolve) => {
    up = resolve;
  });
  const child = await start(command, { onOutput: () => up() });
  await ready;
  const began = Date.now();
  await child.kill();
  expect(Date.now() - began).toBeLessThan(4_000);
  expect(await child.wait()).toMatchObject({ code: null, signal: 'SIGKILL', leftChildren: false });
  expect(await living(child)).toEqual([]);
});

verifies('process/kill', 'an aborted signal ends it and leaves no listener', async () => {
  const controller = new AbortController();
  const child = await start('sleep 60', { signal: controller.signal });
  controller.abort();
  expect(await child.wait()).toMatchObject({ signal: 'SIGTERM' });
  await expect(start('true', { signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' });
});

verifies('process/back-pressure', 'a listener that is slow holds the program back', async () => {
  let taken = 0;
  let waiting = 0;
  let most = 0;
  const child = await start('head -c 3000000 /dev/zero', {
    onOutput: (bytes) => {
      most = Math.max(most, ++waiting);
      return new Promise<void>((resolve) =>
        setTimeout(() => {
          taken += bytes.byteLength;
          waiting--;
          resolve();
        }, 2),
      );
    },
  });
  await child.wait();
  expect(taken).toBe(3_000_000);
  expect(most).toBe(1);
});

verifies('process/back-pressure', 'a listener that fails ends the program, and its error comes out', async () => {
  const child = await start('yes', {
    onOutput: () => {
      throw new Error('disk full');
    },
  });
  await expect(child.wait()).rejects.toThrow('disk full');
  expect(await living(child)).toEqual([]);
});

verifies('process/start-errors', 'each says what was wrong', async () => {
  const refusal = async (command: string | string[], more: Partial<ProcessOptions> = {}) => {
    try {
      await start(command, more);
    } catch (error) {
      if (isToolwrightError(error)) return `${error.code}: ${error.message} ${error.hint}`;
    }
    return 'no error';
  };
  expect(await refusal(['no-such-program-here'])).toMatch(/^failed: There is no program no-such-program-here/);
  expect(await refusal(['true'], { cwd: '/nowhere' })).toMatch(/^failed: .*folder \/nowhere does not exist/);
  expect(await refusal('true', { cwd: '/etc/passwd' })).toMatch(/^failed: .*not a folder/);
  expect(await refusal('echo \0')).toMatch(/^invalid_input: .*NUL/);
  expect(await refusal(`echo ${'x'.repeat(300_000)}`)).toMatch(/^invalid_input: .*too long/);
  expect(await refusal([])).toMatch(/^invalid_input/);
  expect(await refusal('true', { env: { 'A=B': '1' } })).toMatch(/^invalid_input: .*A=B/);
  expect(await refusal('true', { env: { PATH: '/nowhere' } })).toMatch(/^failed: There is no program bash/);
});

verifies('process/nothing-left', 'no descriptor, file or zombie stays behind', async () => {
  await inTempFolder(async (folder) => {
    const options = { env: { ...env, TMPDIR: folder } };
    await collect('true', options);
    const before = (await readdir('/proc/self/fd')).length;
    for (let i = 0; i < 10; i++) await collect('echo x; echo y >&2', options);
    await start(['no-such-program-here'], options).catch(() => {});
    await start('x'.repeat(300_000), options).catch(() => {});
    await new Promise((resolve) => setImmediate(resolve));
    expect((await readdir('/proc/self/fd')).length).toBeLessThanOrEqual(before);
    expect(await readdir(folder)).toEqual([]);
  });
});

verifies('SHELL-13', 'only the listed names of the host reach a command', async () => {
  const host = {
    PATH: '/bin:/usr/bin',
    HOME: '/h',
    LANG: 'de_DE.UTF-8',
    LC_TIME: 'C',
    RANDOM_NEW_SECRET: 'zzz',
    OPENAI_API_KEY: 'k',
    GIT_TERMINAL_PROMPT: '1',
  };
  const made = commandEnvironment(host, { PAGER: 'less', MINE: '1' });
  expect(made).toMatchObject({
    PATH: '/bin:/usr/bin',
    HOME: '/h',
    LC_TIME: 'C',
    TERM: 'dumb',
    PAGER: 'less',
    MINE: '1',
    GIT_TERMINAL_PROMPT: '0',
  });
  const { stdout } = await collect('env', { env: made });
  expect(stdout).not.toContain('zzz');
  expect(stdout).not.toContain('OPENAI');
  expect(commandEnvironment({})).toMatchObject({ LANG: 'C.UTF-8' });
  expect(commandEnvironment({})['PATH']).toContain('/usr/bin');
});
