import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openCuttingProxy } from '../../../test/cutting-proxy.ts';
import { hurried } from '../../../test/hurried-clock.ts';
import { inRemoteWorld, isRunning, type RemoteWorld, TOKEN, ticks, until } from '../../../test/remote-world.ts';
import { verifies } from '../../../test/verifies.ts';
import { createVirtualClock } from '../../testing/virtual-clock.ts';

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

verifies('remote/lease', 'a session that is being ended does not stand in the way of a new one of its name', () =>
  inRemoteWorld(async ({ root, ask }) => {
    const post = (path: string, body: object) => ask(path, { method: 'POST', body: JSON.stringify(body) });
    await post('/v1/sessions', { id: 's' });
    const stubborn = { id: 'p', follow: false, command: 'trap : TERM; while :; do sleep 67.81; done' };
    void (await post('/v1/sessions/s/processes', stubborn)).text().catch(() => {});
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
