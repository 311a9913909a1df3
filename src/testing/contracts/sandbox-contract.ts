import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isToolwrightError, type Root, type Sandbox, type StartOptions } from '../../core/index.ts';

/** A sandbox to be tried: `root` is an empty writable folder of its, `readOnly` an empty read-only one. */
export interface SandboxUnderTest {
  readonly sandbox: Sandbox;
  readonly root: string;
  readonly readOnly: string;
  dispose(): Promise<void>;
}

/** Makes a sandbox whose roots are these two folders. */
export type MakeSandbox = () => Promise<SandboxUnderTest>;

/** Any test runner's `test`. */
export type RunTest = (name: string, body: () => Promise<void>) => void;

const bytes = (text: string) => Buffer.from(text);
const textOf = (content: Uint8Array) => Buffer.from(content).toString();

/** What every sandbox's file methods do. */
export function sandboxFilesContract(name: string, make: MakeSandbox, test: RunTest): void {
  const check = (what: string, body: (under: SandboxUnderTest) => Promise<void>) =>
    test(`${name}: ${what}`, async () => {
      const under = await make();
      try {
        await body(under);
      } finally {
        await under.dispose();
      }
    });

  check('reads back what was written, byte for byte', async ({ sandbox, root }) => {
    const content = Buffer.from([0, 255, 13, 10, 0xef, 0xbb, 0xbf]);
    await sandbox.write(join(root, 'a.bin'), content);
    assert.deepEqual(Buffer.from(await sandbox.read(join(root, 'a.bin'))), content);
    await sandbox.write(join(root, 'empty'), bytes(''));
    assert.equal((await sandbox.read(join(root, 'empty'))).byteLength, 0);
  });

  check('gives a new file the mode that is asked for, and keeps that of an old one', async ({ sandbox, root }) => {
    const path = join(root, 'run.sh');
    assert.equal((await sandbox.write(path, bytes('#!/bin/sh'), { mode: 0o755 })).mode & 0o777, 0o755);
    await sandbox.write(path, bytes('#!/bin/bash'), { mode: 0o600 });
    assert.equal(((await sandbox.stat(path))?.mode ?? 0) & 0o777, 0o755);
  });

  check('reads ranges, cut at the end of the file', async ({ sandbox, root }) => {
    const path = join(root, 'a');
    await sandbox.write(path, bytes('0123456789'));
    assert.equal(textOf(await sandbox.read(path, { offset: 3, length: 4 })), '3456');
    assert.equal(textOf(await sandbox.read(path, { offset: 8, length: 4 })), '89');
    assert.equal(textOf(await sandbox.read(path, { offset: 8 })), '89');
    assert.equal(textOf(await sandbox.read(path, { offset: 20, length: 4 })), '');
  });

  check('makes missing folders and lists in a stable order', async ({ sandbox, root }) => {
    for (const file of ['b/two', 'b/one', 'a', 'Z']) await sandbox.write(join(root, file), bytes(file));
    assert.deepEqual(await sandbox.list(root), [
      { name: 'Z', kind: 'file' },
      { name: 'a', kind: 'file' },
      { name: 'b', kind: 'directory' },
    ]);
    assert.deepEqual(
      (await sandbox.list(join(root, 'b'))).map((entry) => entry.name),
      ['one', 'two'],
    );
    await rejects(sandbox.list(join(root, 'a')), 'not_a_folder');
    await rejects(sandbox.list(join(root, 'none')), 'missing');
  });

  check('tells what is at a path', async ({ sandbox, root }) => {
    const path = join(root, 'a');
    const written = await sandbox.write(path, bytes('abc'));
    assert.deepEqual(await sandbox.stat(path), written);
    assert.equal(written.kind, 'file');
    assert.equal(written.size, 3);
    assert.equal((await sandbox.stat(root))?.kind, 'directory');
    assert.equal(await sandbox.stat(join(root, 'none')), undefined);
    assert.equal(await sandbox.stat(join(root, 'a', 'below')), undefined);
  });

  check('refuses what is not a file', async ({ sandbox, root }) => {
    await sandbox.write(join(root, 'folder/a'), bytes('a'));
    await rejects(sandbox.read(join(root, 'folder')), 'folder');
    await rejects(sandbox.write(join(root, 'folder'), bytes('a')), 'folder');
    await rejects(sandbox.write(join(root, 'folder/a/b'), bytes('a')), 'not_a_folder');
    await rejects(sandbox.read(join(root, 'none')), 'missing');
  });

  check('writes only over the state that was expected', async ({ sandbox, root }) => {
    const path = join(root, 'a');
    const first = await sandbox.write(path, bytes('one'), { expect: null });
    await rejects(sandbox.write(path, bytes('other'), { expect: null }), 'stale');
    await sandbox.write(path, bytes('two'), { expect: first });
    await rejects(sandbox.write(path, bytes('three'), { expect: first }), 'stale');
    assert.equal(textOf(await sandbox.read(path)), 'two');
    await rejects(sandbox.write(join(root, 'gone'), bytes('x'), { expect: first }), 'stale');
    assert.equal(await sandbox.stat(join(root, 'gone')), undefined);
  });

  check('lets one of several racing writers win', async ({ sandbox, root }) => {
    const path = join(root, 'a');
    const race = async (expect: Awaited<ReturnType<Sandbox['write']>> | null, round: string) => {
      const texts = Array.from({ length: 8 }, (_, i) => `${round}${i}`.repeat(100 + i));
      const ends = await Promise.allSettled(texts.map((text) => sandbox.write(path, bytes(text), { expect })));
      const won = texts.filter((_, i) => ends[i]?.status === 'fulfilled');
      assert.equal(won.length, 1);
      assert.equal(textOf(await sandbox.read(path)), won[0]);
    };
    await race(null, 'new');
    const stat = await sandbox.stat(path);
    assert.ok(stat);
    await race(stat, 'over');
    assert.deepEqual(
      (await sandbox.list(root)).map((entry) => entry.name),
      ['a'],
    );
  });

  check('removes files and empty folders', async ({ sandbox, root }) => {
    await sandbox.write(join(root, 'folder/a'), bytes('a'));
    await rejects(sandbox.remove(join(root, 'folder')), 'not_empty');
    await sandbox.remove(join(root, 'folder/a'));
    await sandbox.remove(join(root, 'folder'));
    await sandbox.remove(join(root, 'folder'));
    assert.deepEqual(await sandbox.list(root), []);
  });

  check('finds the real path of what does not exist yet', async ({ sandbox, root }) => {
    assert.deepEqual(await sandbox.realPath(join(root, 'a/b')), { real: join(root, 'a/b'), exists: false });
    assert.deepEqual(await sandbox.realPath(root), { real: root, exists: true });
  });

  check('keeps to its roots', async ({ sandbox, root, readOnly }) => {
    const outside = `${root}-beside`;
    await rejects(sandbox.read(join(outside, 'a')), 'outside', 'missing');
    await rejects(sandbox.write(join(outside, 'a'), bytes('x')), 'outside');
    await rejects(sandbox.list('/'), 'outside');
    await rejects(sandbox.remove('/nothing-of-ours'), 'outside');
    await rejects(sandbox.write(join(readOnly, 'a'), bytes('x')), 'read_only');
    await rejects(sandbox.remove(readOnly), 'read_only', 'outside');
    assert.deepEqual(await sandbox.list(readOnly), []);
  });
}

/** What every sandbox with processes does with them. */
export function sandboxProcessesContract(name: string, make: MakeSandbox, test: RunTest): void {
  const check = (what: string, body: (under: SandboxUnderTest) => Promise<void>) =>
    test(`${name}: ${what}`, async () => {
      const under = await make();
      try {
        await body(under);
      } finally {
        await under.dispose();
      }
    });
  const run = async (
    sandbox: Sandbox,
    command: string | readonly string[],
    options: Omit<StartOptions, 'onOutput'> = {},
  ) => {
    const out = { stdout: '', stderr: '' };
    const child = await sandbox.start(command, {
      ...options,
      onOutput: (piece, stream) => {
        out[stream] += textOf(piece);
      },
    });
    const exit = await child.wait();
    return { ...out, ...exit };
  };

  check('runs a text in bash and an array without a shell, streams apart', async ({ sandbox }) => {
    const shell = await run(sandbox, "cat <<'EOF'\nbody $HOME\nEOF\necho err >&2; exit 7 # note");
    assert.deepEqual([shell.stdout, shell.stderr, shell.code], ['body $HOME\n', 'err\n', 7]);
    const plain = await run(sandbox, ['printf', '%s|', 'a b', '$HOME', '*']);
    assert.equal(plain.stdout, 'a b|$HOME|*|');
  });

  check('sees the same files as the file methods', async ({ sandbox, root }) => {
    await sandbox.write(join(root, 'a b'), bytes('from outside'));
    const { stdout } = await run(sandbox, 'cat "a b"; printf inside > made');
    assert.equal(stdout, 'from outside');
    assert.equal(textOf(await sandbox.read(join(root, 'made'))), 'inside');
  });

  check('starts in the folder that is asked for', async ({ sandbox, root }) => {
    await sandbox.write(join(root, 'my dir/a'), bytes('a'));
    assert.equal((await run(sandbox, 'pwd')).stdout, `${root}\n`);
    assert.equal((await run(sandbox, 'pwd', { cwd: join(root, 'my dir') })).stdout, `${join(root, 'my dir')}\n`);
    await assert.rejects(run(sandbox, 'pwd', { cwd: '/proc' }), isToolwrightError);
  });

  check('passes on what was added to the environment and nothing of the host', async ({ sandbox }) => {
    const { stdout } = await run(sandbox, 'env', { env: { ADDED: 'yes' } });
    assert.match(stdout, /^ADDED=yes$/m);
    assert.match(stdout, /^PATH=/m);
    assert.ok(!stdout.includes('host-secret-value'), 'a variable of the host with this value is there');
  });

  check('has no input and no terminal', async ({ sandbox }) => {
    const { stdout, code } = await run(sandbox, 'read -r x; echo "got:$x"; (: </dev/tty) 2>/dev/null; echo "tty:$?"');
    assert.equal(stdout, 'got:\ntty:1\n');
    assert.equal(code, 0);
  });

  check('tells the end by a signal', async ({ sandbox }) => {
    const { code, signal } = await run(sandbox, 'kill -9 $$');
    assert.ok(signal === 'SIGKILL' || code === 137, `${code} ${signal}`);
  });

  check('ends the whole tree at an abort, strays too, after a chance to tidy up', async ({ sandbox, root }) => {
    const stop = new AbortController();
    const began = once();
    const child = await sandbox.start(
      'trap "echo tidy > tidied; exit 0" TERM; (setsid sleep 98765 &) ; sleep 98765 & echo up; wait',
      { signal: stop.signal, onOutput: () => began.tell() },
    );
    await began.promise;
    stop.abort();
    await child.wait();
    await child.kill();
    assert.equal(textOf(await sandbox.read(join(root, 'tidied'))), 'tidy\n');
    assert.ok(!(await run(sandbox, ['ps', 'ax'])).stdout.includes('sleep 98765'));
  });

  check('kills what does not listen to TERM', async ({ sandbox }) => {
    const began = once();
    const child = await sandbox.start(`trap '' TERM; echo up; while :; do sleep 1; done`, {
      onOutput: () => began.tell(),
    });
    await began.promise;
    await child.kill();
    const { code, signal } = await child.wait();
    assert.ok(signal === 'SIGKILL' || code === 137 || code === 143, `${code} ${signal}`);
  });

  check('does not wait for a child that is left behind, and loses no output', async ({ sandbox }) => {
    const { stdout } = await run(sandbox, 'sleep 60 & seq 1 20000');
    assert.equal(stdout.split('\n').length, 20_001);
  });

  check('searches with ripgrep where it says so', async ({ sandbox, root }) => {
    if (sandbox.capabilities.ripgrep === undefined) return;
    await sandbox.write(join(root, 'a'), bytes('needle'));
    const { stdout } = await run(sandbox, [sandbox.capabilities.ripgrep, '-l', 'needle', root]);
    assert.equal(stdout, `${join(root, 'a')}\n`);
  });

  check('refuses a command that holds a NUL', async ({ sandbox }) => {
    await assert.rejects(run(sandbox, 'echo a\0b'), isToolwrightError);
  });

  check('ends what runs when it is disposed, and starts nothing more', async ({ sandbox }) => {
    const child = await sandbox.start('sleep 60');
    await sandbox.dispose();
    await child.wait();
    await assert.rejects(sandbox.start('true'), isToolwrightError);
  });
}

function once(): { readonly promise: Promise<void>; tell(): void } {
  let tell = () => {};
  const promise = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return { promise, tell: () => tell() };
}

async function rejects(promise: Promise<unknown>, ...reasons: string[]): Promise<void> {
  await assert.rejects(promise, (error: unknown) => {
    assert.ok(isToolwrightError(error), String(error));
    const { reason } = error.data as { reason: string };
    assert.ok(reasons.includes(reason), `${reason}: ${error.message}`);
    return true;
  });
}

/** The roots of a sandbox under test. */
export const contractRoots = (root: string, readOnly: string): Root[] => [
  { path: root, access: 'write', label: 'workspace' },
  { path: readOnly, access: 'read', label: 'library' },
];
