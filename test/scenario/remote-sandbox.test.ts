import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { expect } from 'vitest';
import { randomId, systemClock } from '../../src/core/index.ts';
import { remoteSandbox, type Session } from '../../src/runtime/index.ts';
import { inTempFolder } from '../../src/testing/temp-folder.ts';
import { verifies } from '../verifies.ts';
import { inWorld, type World } from './runtime-world.ts';
import { load, put, recording, resultsIn, skill } from './skills-world.ts';

const BIN = join(import.meta.dirname, '../../bin/toolwright.js');
const TOKEN = 'a-token-of-the-scenario';

interface Served {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it printed on stderr. */
  readonly told: () => string;
  readonly ended: Promise<number | null>;
}

/** `toolwright sandbox serve` in a process of its own; ended afterwards. */
async function whileServed(args: readonly string[], env: object, body: (served: Served) => Promise<void>) {
  await inTempFolder(async (temp) => {
    const child = spawn(process.execPath, [BIN, 'sandbox', 'serve', '--port', '0', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], TMPDIR: temp, ...env },
    });
    const ended = new Promise<number | null>((resolve) => void child.once('exit', (code) => resolve(code)));
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    try {
      const line = await Promise.race([
        createInterface({ input: child.stdout })[Symbol.asyncIterator]().next(),
        ended.then(() => ({ value: '' })),
      ]);
      const url = /http:\/\/[\w.:]+/.exec(line.value ?? '')?.[0];
      if (url === undefined) throw new Error(`no address: ${line.value} ${err}`);
      await body({ url, child, ended, told: () => err });
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  });
}

/** A session whose folder is served by another process. */
async function inRemoteSession(
  body: (parts: { session: Session; far: string; served: Served; world: World }) => Promise<void>,
): Promise<void> {
  await inTempFolder((far) =>
    inWorld((world) =>
      whileServed(['--root', far], { TOOLWRIGHT_SANDBOX_TOKEN: TOKEN }, async (served) => {
        const runtime = await world.runtime({ sandbox: remoteSandbox({ url: served.url, token: TOKEN, cwd: far }) });
        const session = await runtime.session({ mode: 'open' });
        await body({ session, far, served, world });
        await session.close();
      }),
    ),
  );
}

verifies('remote/session', 'files, searches and commands of a session happen in the other process', () =>
  inRemoteSession(async ({ session, far, served }) => {
    await writeFile(join(far, 'notes.txt'), 'one\ntwo\nthree\n');
    const read = await session.call('read_file', { path: 'notes.txt' });
    expect(read.content).toContain('two');
    const edit = await session.call('file_edit', { path: 'notes.txt', old_string: 'two', new_string: 'zwei' });
    expect(edit.error).toBeUndefined();
    expect(await readFile(join(far, 'notes.txt'), 'utf8')).toBe('one\nzwei\nthree\n');
    const grep = await session.call('grep_files', { pattern: 'zw.i' });
    expect(grep.content).toMatch(/notes\.txt.*zwei/s);
    expect((await session.call('glob_files', { pattern: '*.txt' })).content).toContain('notes.txt');
    const bash = await session.call('run_bash', { command: 'pwd; echo $PPID; echo trouble >&2; exit 3' });
    expect(bash.content).toContain(far);
    expect(bash.content).toContain(String(served.child.pid));
    expect(bash.data).toMatchObject({ exit_code: 3, stderr: 'trouble\n' });
    expect((await session.call('read_file', { path: '/etc/passwd' })).error?.code).toBe('denied');
    await session.call('file_write', { path: 'new/folder/file', content: 'made' });
    expect(await readFile(join(far, 'new/folder/file'), 'utf8')).toBe('made');
  }),
);

verifies('remote/session', 'an edit of a file that was changed over there meanwhile is refused', () =>
  inRemoteSession(async ({ session, far }) => {
    await writeFile(join(far, 'a'), 'one\n');
    await session.call('read_file', { path: 'a' });
    await writeFile(join(far, 'a'), 'one, by another\n');
    const edit = await session.call('file_edit', { path: 'a', old_string: 'one', new_string: 'uno' });
    expect(edit.error?.code).toBe('failed');
    expect(await readFile(join(far, 'a'), 'utf8')).toBe('one, by another\n');
  }),
);

verifies('remote/session', 'a long output is stored here and read page by page', () =>
  inRemoteSession(async ({ session }) => {
    const result = await session.call('run_bash', { command: 'seq 1 60000' });
    expect(result.stored?.bytes).toBeGreaterThan(300_000);
    const page = await session.call('read_file', { path: result.stored?.path, offset: 59_000, limit: 10 });
    expect(page.content).toContain('59001');
  }),
);

verifies('remote/held', 'a big output crosses with flat memory on both sides', () =>
  inRemoteSession(async ({ far, served }) => {
    if (process.platform !== 'linux') return;
    const server = () => readFile(`/proc/${served.child.pid}/status`, 'utf8').then(peakOf);
    const { sandbox } = await remoteSandbox({ url: served.url, token: TOKEN, cwd: far })({
      cwd: far,
      roots: [{ path: far, access: 'write', label: 'workspace' }],
      clock: systemClock,
      newId: randomId,
    });
    const before = await server();
    let bytes = 0;
    let most = 0;
    const child = await sandbox.start('head -c 400000000 /dev/zero', {
      onOutput: (piece) => {
        bytes += piece.byteLength;
        most = Math.max(most, piece.byteLength);
      },
    });
    expect((await child.wait()).code).toBe(0);
    expect(bytes).toBe(400_000_000);
    expect(most).toBeLessThanOrEqual(1 << 20);
    expect((await server()) - before).toBeLessThan(120);
    await sandbox.dispose();
  }),
);

verifies('remote/serve', 'a signal ends the server with everything that ran in it, and it says where it is', () =>
  inRemoteSession(async ({ session, far, served }) => {
    const running = session.call('run_bash', { command: 'echo $$ > pid; sleep 300.25 & sleep 300.25' });
    const pid = await untilWritten(join(far, 'pid'));
    expect(isAlive(pid)).toBe(true);
    served.child.kill('SIGTERM');
    expect(await served.ended).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect((await running).error).toBeDefined();
    expect(served.told()).toBe('');
  }),
);

verifies('remote/serve', 'without a token it makes one up and prints it once; at other addresses it wants one', () =>
  inTempFolder((folder) =>
    whileServed(['--root', folder, '--json'], {}, async ({ url, told }) => {
      const token = /^token: ([0-9a-f]{64})\n$/.exec(told())?.[1];
      expect(token).toBeDefined();
      const ask = (headers: Record<string, string>) => fetch(`${url}/v1`, { headers });
      expect((await ask({ authorization: `Bearer ${token}` })).status).toBe(200);
      expect((await ask({})).status).toBe(401);
      await expect(whileServed(['--host', '0.0.0.0'], {}, async () => {})).rejects.toThrow(/token is needed/);
      const short = { TOOLWRIGHT_SANDBOX_TOKEN: 'short' };
      await expect(whileServed(['--host', '0.0.0.0'], short, async () => {})).rejects.toThrow(/16 characters/);
      await expect(whileServed(['--root', '/no/such/folder'], {}, async () => {})).rejects.toThrow(/not a folder/);
    }),
  ),
);

verifies(
  'remote/uncertain',
  'a command whose server broke down is uncertain, and the session goes on with a new one',
  () =>
    inRemoteSession(async ({ session, far, served }) => {
      const running = session.call('run_bash', { command: 'echo $$ > pid; exec sleep 300.75' });
      const pid = await untilWritten(join(far, 'pid'));
      served.child.kill('SIGKILL');
      await served.ended;
      process.kill(pid, 'SIGKILL');
      const port = new URL(served.url).port;
      await whileServed(['--root', far, '--port', port], { TOOLWRIGHT_SANDBOX_TOKEN: TOKEN }, async () => {
        const result = await running;
        expect(result.error?.code).toBe('uncertain');
        expect((await session.call('read_file', { path: 'pid' })).content).toContain(String(pid));
        expect((await session.call('run_bash', { command: 'echo again' })).content).toBe('again');
      });
    }),
);

/** Most that a process ever held, MB. */
const peakOf = (status: string) => Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024;

async function untilWritten(path: string): Promise<number> {
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return Number(text);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

verifies(
  'skills/project',
  "a skill's script runs in the other process, from a copy that goes away with the session",
  () =>
    inTempFolder((far) =>
      inWorld((world) =>
        whileServed(['--root', far], { TOOLWRIGHT_SANDBOX_TOKEN: TOKEN }, async ({ url }) => {
          await put(join(world.home, 'skills/a/SKILL.md'), skill('a', 'd', 'Run x.sh.'));
          await put(join(world.home, 'skills/a/x.sh'), '#!/bin/sh\necho "ran in $(pwd -P)"\n', 0o755);
          const runtime = await world.runtime({ sandbox: remoteSandbox({ url, token: TOKEN, cwd: far }) });
          const model = recording(
            [load('a')],
            (request) => {
              const folder = /Folder of this skill: (\S+)/.exec(resultsIn(request)[0] ?? '')?.[1] ?? '';
              const path = `${folder}/x.sh`;
              return [
                { name: 'run_bash', input: { command: path } },
                { name: 'read_file', input: { path } },
                { name: 'file_write', input: { path, content: 'mine' } },
              ];
            },
            'done',
          );
          const session = await runtime.session({ mode: 'open', model });
          await session.run('Go.').result;
          const [, ran, read, wrote] = resultsIn(model.requests[2]);
          expect(ran).toBe(`ran in ${await realpath(far)}`);
          expect(read).toContain('echo "ran in');
          expect(wrote).toMatch(/^Error \[denied\].*read-only/);
          await session.close();
          expect(await readdir(far, { recursive: true })).toEqual(['.toolwright']);
        }),
      ),
    ),
);
