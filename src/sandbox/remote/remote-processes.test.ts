import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { inRemoteWorld, isRunning, TOKEN, ticks, until } from '../../../test/remote-world.ts';
import { verifies } from '../../../test/verifies.ts';
import { type OutputStream, type Sandbox, systemClock } from '../../core/index.ts';

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
