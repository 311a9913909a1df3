import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openCuttingProxy } from '../../../test/cutting-proxy.ts';
import { hurried } from '../../../test/hurried-clock.ts';
import { inRemoteWorld, type RemoteWorld, TOKEN } from '../../../test/remote-world.ts';
import { verifies } from '../../../test/verifies.ts';
import { type OutputStream, type Sandbox, systemClock } from '../../core/index.ts';
import { createVirtualClock } from '../../testing/virtual-clock.ts';

const isRunning = (marker: string) => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(marker);
const ticks = (ms = 20) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await done())) await ticks();
}

async function run(sandbox: Sandbox, command: string | readonly string[], options: object = {}) {
  const text: Record<OutputStream, string> = { stdout: '', stderr: '' };
  const order: string[] = [];
  const onOutput = (bytes: Uint8Array, stream: OutputStream) => {
    text[stream] += Buffer.from(bytes).toString('latin1');
    order.push(stream);
  };
  const child = await sandbox.start(command, { ...options, onOutput });
  const exit = await child.wait();
  return { ...text, order, exit };
}

const withLine = (
  body: (parts: { world: RemoteWorld; proxy: Awaited<ReturnType<typeof openCuttingProxy>> }) => Promise<void>,
) =>
  inRemoteWorld(async (world) => {
    const proxy = await openCuttingProxy(world.url);
    try {
      await body({ world, proxy });
    } finally {
      await proxy.close();
    }
  });

verifies('remote/commands', 'a command means there what it means here', () =>
  inRemoteWorld(async ({ root, connect }) => {
    const { sandbox, roots } = await connect();
    expect(roots.cwd).toBe(root);
    expect(await run(sandbox, 'pwd; echo $A; echo err >&2; exit 7', { env: { A: 'b c' } })).toMatchObject({
      stdout: `${root}\nb c\n`,
      stderr: 'err\n',
      exit: { code: 7, signal: null, leftChildren: false },
    });
    expect((await run(sandbox, ['printf', '%s|', 'a b', '$HOME', ''])).stdout).toBe('a b|$HOME||');
    expect((await run(sandbox, 'kill -9 $$')).exit).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect((await run(sandbox, 'cat; read x; echo "got:$x"')).stdout).toBe('got:\n');
    const lines = await run(sandbox, 'for i in 1 2 3; do echo $i; sleep 0.03; echo $i >&2; sleep 0.03; done');
    expect(lines.order).toEqual(['stdout', 'stderr', 'stdout', 'stderr', 'stdout', 'stderr']);
    const bytes = await run(sandbox, 'head -c 100000 /dev/urandom | tee raw');
    expect(Buffer.from(bytes.stdout, 'latin1').equals(await readFile(join(root, 'raw')))).toBe(true);
    await expect(sandbox.start(['no-such-program'])).rejects.toMatchObject({ code: 'failed' });
    await expect(sandbox.start('echo a\0b')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(sandbox.start('true', { cwd: '/etc' })).rejects.toMatchObject({ code: 'denied' });
  }),
);

verifies('remote/commands', 'what the server has in its environment stays with it', () =>
  inRemoteWorld(async ({ connect }) => {
    process.env['REMOTE_TEST_SECRET'] = 'zzz-hidden';
    try {
      const { sandbox } = await connect();
      const { stdout } = await run(sandbox, 'env');
      expect(stdout).not.toContain('zzz-hidden');
      expect(stdout).not.toContain(TOKEN);
    } finally {
      delete process.env['REMOTE_TEST_SECRET'];
    }
  }),
);

verifies('SHELL-01', 'on a remote sandbox, too, a silent background child does not hold the command', () =>
  inRemoteWorld(async ({ connect }) => {
    const { sandbox } = await connect();
    const began = performance.now();
    const { stdout, exit } = await run(sandbox, 'sleep 31.21 & seq 1 20000');
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(stdout.endsWith('\n20000\n')).toBe(true);
    expect(exit.leftChildren).toBe(true);
    expect(isRunning('sleep 31.21')).toBe(true);
    await sandbox.dispose();
    expect(isRunning('sleep 31.21')).toBe(false);
  }),
);

verifies('SHELL-03', 'on a remote sandbox, too, an abort ends the whole tree, deaf ones as well', () =>
  inRemoteWorld(async ({ connect }) => {
    const { sandbox } = await connect();
    const stop = new AbortController();
    const onOutput = () => stop.abort();
    const child = await sandbox.start(`trap "" TERM; (setsid sleep 61.22) & echo ready; sleep 61.21`, {
      signal: stop.signal,
      onOutput,
    });
    expect((await child.wait()).code === 0).toBe(false);
    expect(isRunning('sleep 61.2')).toBe(false);
    await expect(async () => sandbox.start('true', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
  }),
);

verifies('remote/kept', 'output that nobody follows is kept and read by its place, during and after the command', () =>
  inRemoteWorld(async ({ root, connect }) => {
    const { sandbox } = await connect();
    const read = async (id: string, stream: OutputStream, offset: number, max = 1 << 20) => {
      const piece = await sandbox.readOutput?.(id, stream, offset, max);
      return { text: Buffer.from(piece?.bytes ?? []).toString(), next: piece?.next };
    };
    const child = await sandbox.start('echo first; echo bad >&2; while [ ! -e go ]; do sleep 0.02; done; seq 1 100000');
    await until(async () => (await read(child.id, 'stdout', 0)).next === 6);
    expect(await read(child.id, 'stdout', 0)).toEqual({ text: 'first\n', next: 6 });
    expect(await read(child.id, 'stdout', 2, 2)).toEqual({ text: 'rs', next: 4 });
    expect(await read(child.id, 'stdout', 6)).toEqual({ text: '', next: 6 });
    expect(await read(child.id, 'stderr', 0)).toEqual({ text: 'bad\n', next: 4 });
    await writeFile(join(root, 'go'), '');
    await child.wait();
    let text = '';
    for (let at = 0; ; ) {
      const piece = await read(child.id, 'stdout', at, 50_000);
      if (piece.next === undefined || piece.next === at) break;
      text += piece.text;
      at = piece.next;
    }
    expect(text).toBe(`first\n${Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`).join('')}`);
    await expect(read('none', 'stdout', 0)).rejects.toMatchObject({ code: 'not_found' });
  }),
);

verifies('remote/kept', 'of output that nobody follows the end is kept, and of ended commands only so much', () =>
  inRemoteWorld(
    async ({ base, connect }) => {
      const { sandbox } = await connect();
      const first = await sandbox.start('seq 1 9000000');
      await first.wait();
      const { bytes, next } = (await sandbox.readOutput?.(first.id, 'stdout', 0, 1 << 20)) ?? { bytes: '', next: 0 };
      expect(next).toBeGreaterThan(17_000_000);
      expect(bytes.length).toBe(1 << 20);
      expect(await readdir(join(base, 'spool'), { recursive: true })).not.toHaveLength(1);
      for (let i = 0; i < 3; i++) await (await sandbox.start('seq 1 3000000')).wait();
      await expect(sandbox.readOutput?.(first.id, 'stdout', 0, 1)).rejects.toMatchObject({ code: 'expired' });
      await sandbox.dispose();
      expect(await readdir(join(base, 'spool'), { recursive: true })).toHaveLength(1);
    },
    { limits: { spoolBytes: 1 << 20, mostKeptBytes: 16 * (1 << 20) } },
  ),
);

verifies('remote/held', 'a command whose reader is away is held back, and then goes on with no byte lost', () =>
  inRemoteWorld(
    async ({ root, connect }) => {
      const { sandbox } = await connect();
      let letGo = () => {};
      const gate = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      let bytes = 0;
      const child = await sandbox.start('head -c 60000000 /dev/zero; echo done > done; head -c 10 /dev/zero', {
        onOutput: async (piece) => {
          bytes += piece.byteLength;
          await gate;
        },
      });
      await ticks(500);
      expect(bytes).toBeLessThan(1 << 20);
      expect(await readdir(root)).toEqual([]);
      letGo();
      expect((await child.wait()).code).toBe(0);
      expect(bytes).toBe(60_000_010);
      expect(await readdir(root)).toEqual(['done']);
    },
    { limits: { spoolBytes: 8 << 20 } },
  ),
);

verifies('remote/resume', 'a kill that is given while the line is down arrives when it is back', () =>
  withLine(async ({ world, proxy }) => {
    const { sandbox } = await world.connect({ url: proxy.url, clock: hurried(10) });
    let text = '';
    const child = await sandbox.start('echo up; sleep 62.31', {
      onOutput: (bytes) => {
        text += Buffer.from(bytes);
      },
    });
    await until(() => text === 'up\n');
    proxy.cut('down');
    const killed = child.kill();
    await ticks(200);
    expect(isRunning('sleep 62.31')).toBe(true);
    proxy.up();
    await killed;
    expect(await child.wait()).toMatchObject({ code: null, signal: 'SIGTERM' });
    expect(isRunning('sleep 62.31')).toBe(false);
  }),
);

verifies('remote/resume', 'a line that died without a word is noticed, and the command followed over a new one', () =>
  withLine(async ({ world, proxy }) => {
    const { sandbox } = await world.connect({ url: proxy.url, clock: hurried(40) });
    let text = '';
    const child = await sandbox.start('echo up; while [ ! -e go ]; do sleep 0.02; done; seq 1 3', {
      onOutput: (bytes) => {
        text += Buffer.from(bytes);
      },
    });
    await until(() => text === 'up\n');
    proxy.freeze();
    await writeFile(join(world.root, 'go'), '');
    expect((await child.wait()).code).toBe(0);
    expect(text).toBe('up\n1\n2\n3\n');
  }),
);

verifies('remote/lost', 'after a minute without a line a command is given up as unavailable, and not before', () =>
  withLine(async ({ world, proxy }) => {
    const clock = createVirtualClock();
    const { sandbox } = await world.connect({ url: proxy.url, clock });
    let text = '';
    const child = await sandbox.start('echo up; sleep 63.41', {
      onOutput: (bytes) => {
        text += Buffer.from(bytes);
      },
    });
    await until(() => text === 'up\n');
    let error: unknown;
    child.wait().catch((reason) => {
      error = reason;
    });
    proxy.cut('down');
    const began = clock.now();
    for (let waited = 0; waited < 200 && error === undefined; waited++) {
      await ticks(5);
      await clock.advance(500);
      if (clock.now() - began < 58_000) expect(error).toBeUndefined();
    }
    expect(error).toMatchObject({
      code: 'unavailable',
      retryable: true,
      data: { reason: 'line_lost', started: true },
    });
    expect(String(error)).not.toContain(TOKEN);
    proxy.up();
    expect(await sandbox.list(world.root)).toEqual([]);
  }),
);

verifies('remote/lost', 'where nobody listens nothing is started, at once, and the address is named', () =>
  inRemoteWorld(async ({ connect, stop, root, url }) => {
    const { sandbox } = await connect();
    await stop();
    for (const attempt of [sandbox.start('true'), sandbox.list(root), connect()]) {
      const error = await Promise.resolve(attempt).then(
        () => undefined,
        (reason) => reason,
      );
      expect(error).toMatchObject({ code: 'unavailable', data: { started: false } });
      expect(error.message).toContain(url);
      expect(`${error.message}${error.hint}`).not.toContain(TOKEN);
    }
    await expect(connect({ url: 'ftp://x' })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(connect({ token: '' })).rejects.toMatchObject({ code: 'invalid_request' });
  }),
);

verifies('remote/lost', 'a wrong token and a stranger at the address are told as what they are', () =>
  inRemoteWorld(async ({ connect }) => {
    await expect(connect({ token: 'another' })).rejects.toMatchObject({ code: 'unauthorized' });
    const { createServer } = await import('node:http');
    const stranger = createServer((_request, response) => response.end('<html>'));
    await new Promise<void>((resolve) => void stranger.listen(0, '127.0.0.1', resolve));
    const { port } = stranger.address() as { port: number };
    await expect(connect({ url: `http://127.0.0.1:${port}` })).rejects.toMatchObject({ code: 'unavailable' });
    stranger.closeAllConnections();
    stranger.close();
  }),
);

verifies(
  'remote/lease',
  'what nobody asks for is ended after a while: a command, and a session with its strays',
  async () => {
    const clock = createVirtualClock();
    await inRemoteWorld(
      async ({ base, ask, stop }) => {
        const post = (path: string, body: object) => ask(path, { method: 'POST', body: JSON.stringify(body) });
        await post('/v1/sessions', { id: 's' });
        const gone = new AbortController();
        const started = ask('/v1/sessions/s/processes', {
          method: 'POST',
          body: JSON.stringify({ id: 'p', follow: true, command: 'sleep 64.51 & sleep 64.51' }),
          signal: gone.signal,
        });
        await (await started).body?.getReader().read();
        gone.abort();
        await until(() => isRunning('sleep 64.51'));
        await clock.advance(590_000);
        expect(isRunning('sleep 64.51')).toBe(true);
        // The session is used, the command is not.
        expect((await ask(`/v1/sessions/s/stat?path=${base}/root`)).status).toBe(200);
        await clock.advance(20_000);
        await untilEnded(clock, () => !isRunning('sleep 64.51'));
        expect(await (await ask('/v1/sessions/s/processes/p/output')).text()).toContain('not kept any more');
        await clock.advance(700_000);
        await untilEnded(clock, async () => (await ask(`/v1/sessions/s/stat?path=${base}/root`)).status === 404);
        let isStopped = false;
        void stop().then(() => {
          isStopped = true;
        });
        await untilEnded(clock, () => isStopped);
      },
      { serverClock: clock },
    );
  },
);

verifies('remote/lease', 'a closed server and a closed session leave no process, no file and no open call', () =>
  inRemoteWorld(async ({ base, connect, stop }) => {
    const [one, two] = [await connect(), await connect()];
    const follow = { onOutput: () => {} };
    const first = await one.sandbox.start('sleep 65.61', follow);
    const second = await two.sandbox.start('seq 1 100000; sleep 65.61', follow);
    await one.sandbox.dispose();
    expect(await first.wait()).toMatchObject({ signal: 'SIGTERM' });
    expect(isRunning('sleep 65.61')).toBe(true);
    await stop();
    expect(await second.wait()).toMatchObject({ signal: 'SIGTERM' });
    expect(isRunning('sleep 65.61')).toBe(false);
    expect(await readdir(join(base, 'spool'))).toEqual([]);
  }),
);

verifies('remote/once', 'a write that had to be asked for twice is made once and not taken for stale', () =>
  inRemoteWorld(async (world) => {
    const cuts = Array.from({ length: 60 }, (_, i) => 40 + i * 23);
    let isArmed = false;
    const proxy = await openCuttingProxy(world.url, { plan: () => (isArmed ? cuts.shift() : undefined) });
    try {
      const { sandbox } = await world.connect({ url: proxy.url, clock: hurried(20) });
      isArmed = true;
      proxy.cut();
      const path = join(world.root, 'a');
      let before = await sandbox.write(path, Buffer.from('0'), { expect: null });
      for (let i = 1; cuts.length > 0; i++) {
        before = await sandbox.write(path, Buffer.from(`${i}`.repeat(100)), { expect: before });
        expect((await sandbox.read(path)).byteLength).toBe(100 * `${i}`.length);
        await sandbox.remove(join(world.root, 'none'));
      }
      await expect(sandbox.write(path, Buffer.from('x'), { expect: null })).rejects.toMatchObject({
        data: { reason: 'stale' },
      });
      expect(proxy.cuts).toBeGreaterThan(50);
    } finally {
      await proxy.close();
    }
  }),
);

async function untilEnded(clock: ReturnType<typeof createVirtualClock>, done: () => boolean | Promise<boolean>) {
  await until(async () => {
    await clock.advance(50);
    return done();
  });
}

verifies('remote/commands', 'two sessions know nothing of each other', () =>
  inRemoteWorld(async ({ connect, ask }) => {
    const [one, two] = [await connect({ clock: systemClock }), await connect()];
    const child = await one.sandbox.start('sleep 66.71');
    await expect(two.sandbox.readOutput?.(child.id, 'stdout', 0, 1)).rejects.toMatchObject({ code: 'not_found' });
    const path = `/v1/sessions/${two.sandbox.id}/processes/${child.id}/kill`;
    expect((await ask(path, { method: 'POST' })).status).toBe(404);
    expect(isRunning('sleep 66.71')).toBe(true);
  }),
);

verifies('remote/lease', 'a session that is being ended does not stand in the way of a new one of its name', () =>
  inRemoteWorld(async ({ root, ask }) => {
    const post = (path: string, body: object) => ask(path, { method: 'POST', body: JSON.stringify(body) });
    await post('/v1/sessions', { id: 's' });
    const deaf = { id: 'p', follow: false, command: 'trap "" TERM; while :; do sleep 67.81; done' };
    void (await post('/v1/sessions/s/processes', deaf)).text().catch(() => {});
    await until(() => isRunning('sleep 67.81'));
    let isEnded = false;
    const ended = ask('/v1/sessions/s', { method: 'DELETE' }).then(() => {
      isEnded = true;
    });
    await ticks(200);
    expect((await post('/v1/sessions', { id: 's' })).status).toBe(200);
    expect((await ask(`/v1/sessions/s/list?path=${root}`)).status).toBe(200);
    expect(isEnded).toBe(false);
    await ended;
    expect(isRunning('sleep 67.81')).toBe(false);
    expect((await ask(`/v1/sessions/s/list?path=${root}`)).status).toBe(200);
  }),
);
