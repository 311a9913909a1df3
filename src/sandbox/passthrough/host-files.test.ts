import { execFileSync } from 'node:child_process';
import { chmod, link, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { isToolwrightError, randomId, systemClock } from '../../core/index.ts';
import { inTempFolder } from '../../testing/temp-folder.ts';
import { createPassthroughSandbox, type PassthroughOptions } from './passthrough-sandbox.ts';

const WAYS: readonly NonNullable<PassthroughOptions['holdBy']>[] =
  process.platform === 'linux' ? ['descriptor', 'inode'] : ['inode'];

const sandboxOf = (root: string, holdBy: PassthroughOptions['holdBy'] = 'descriptor') =>
  createPassthroughSandbox({
    roots: [{ path: root, access: 'write', label: 'workspace' }],
    cwd: root,
    clock: systemClock,
    newId: randomId,
    ...(holdBy === undefined ? {} : { holdBy }),
  });

const openDescriptors = async () => (await readdir('/proc/self/fd')).length;

async function messageOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error: unknown) => (isToolwrightError(error) ? error.message : `not ours: ${error}`),
  );
}

verifies('sandbox/atomic', 'mode is kept, the old file stays when the write cannot be made', () =>
  inTempFolder(async (root) => {
    const path = join(root, 'run.sh');
    await writeFile(path, 'old');
    await chmod(path, 0o754);
    const sandbox = sandboxOf(root);
    await sandbox.write(path, Buffer.from('new'));
    expect((await stat(path)).mode & 0o7777).toBe(0o754);
    expect(await readFile(path, 'utf8')).toBe('new');
    await expect(sandbox.write(path, Buffer.from('x'), { expect: null })).rejects.toThrow(/changed/);
    expect(await readdir(root)).toEqual(['run.sh']);
  }),
);

verifies('sandbox/atomic', 'a reader never sees a part of a file that is being written', () =>
  inTempFolder(async (root) => {
    const path = join(root, 'a');
    const sandbox = sandboxOf(root);
    const texts = ['x'.repeat(300_000), 'y'.repeat(200_000)];
    await sandbox.write(path, Buffer.from(texts[0] as string));
    let isWriting = true;
    const writing = (async () => {
      for (let i = 0; i < 30; i++) await sandbox.write(path, Buffer.from(texts[i % 2] as string));
      isWriting = false;
    })();
    while (isWriting) expect(texts).toContain(await readFile(path, 'utf8'));
    await writing;
  }),
);

verifies('sandbox/atomic', 'a full disk leaves the old file and no temp file', () =>
  inTempFolder(async (base) => {
    const root = join(base, 'small');
    await mkdir(root);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', root], { stdio: 'ignore' });
    } catch {
      return; // Needs the right to mount.
    }
    try {
      const sandbox = sandboxOf(root);
      await sandbox.write(join(root, 'a'), Buffer.from('old'));
      expect(await messageOf(sandbox.write(join(root, 'a'), Buffer.alloc(200_000)))).toMatch(/disk is full/);
      expect(await readFile(join(root, 'a'), 'utf8')).toBe('old');
      expect(await readdir(root)).toEqual(['a']);
    } finally {
      execFileSync('umount', [root]);
    }
  }),
);

test('another name of the same file keeps the old content', () =>
  inTempFolder(async (root) => {
    await writeFile(join(root, 'a'), 'old');
    await link(join(root, 'a'), join(root, 'b'));
    await sandboxOf(root).write(join(root, 'a'), Buffer.from('new'));
    expect(await readFile(join(root, 'b'), 'utf8')).toBe('old');
  }));

test('files of the kernel that have no size are read', async () => {
  const sandbox = createPassthroughSandbox({
    roots: [{ path: '/', access: 'read', label: 'all' }],
    cwd: '/',
    clock: systemClock,
    newId: randomId,
  });
  expect(Buffer.from(await sandbox.read('/proc/self/status')).toString()).toContain('Pid:');
});

for (const way of WAYS) {
  verifies('READ-03', `special files are refused at once (by ${way})`, () =>
    inTempFolder(async (root) => {
      const sandbox = sandboxOf(root, way);
      execFileSync('mkfifo', [join(root, 'p')]);
      const server = createServer();
      await new Promise<void>((done) => server.listen(join(root, 's'), done));
      await symlink('/dev/zero', join(root, 'z'));
      const before = await openDescriptors();
      const began = Date.now();
      for (const [name, kind] of [
        ['p', /fifo/],
        ['s', /socket/],
      ] as const) {
        expect(await messageOf(sandbox.read(join(root, name)))).toMatch(kind);
        expect(await messageOf(sandbox.write(join(root, name), Buffer.from('x')))).toMatch(kind);
        expect((await sandbox.stat(join(root, name)))?.special).toMatch(kind);
      }
      expect(await messageOf(sandbox.read(join(root, 'z')))).toMatch(/outside/);
      expect(Date.now() - began).toBeLessThan(1_000);
      expect(await openDescriptors()).toBe(before);
      await new Promise((done) => server.close(done));
    }),
  );

  verifies('sandbox/no-swap', `a folder that turns into a link and back while files are used (by ${way})`, () =>
    inTempFolder(async (base) => {
      const root = join(base, 'root');
      const outside = join(base, 'outside');
      for (const folder of [root, outside, join(root, 'sub')]) await mkdir(folder);
      await writeFile(join(root, 'sub/f'), 'inside');
      await writeFile(join(outside, 'f'), 'secret');
      const sandbox = sandboxOf(root, way);
      let isSwapping = true;
      let swaps = 0;
      const swapping = (async () => {
        while (isSwapping) {
          await rename(join(root, 'sub'), join(root, 'kept'));
          await symlink(outside, join(root, 'sub'));
          await new Promise((next) => setImmediate(next));
          await rm(join(root, 'sub'));
          await rename(join(root, 'kept'), join(root, 'sub'));
          // Now and then long enough for a whole read.
          await new Promise((next) => (swaps % 4 === 0 ? setTimeout(next, 3) : setImmediate(next)));
          swaps++;
        }
      })().catch((error: unknown) => error);
      let reads = 0;
      for (let i = 0; i < 400; i++) {
        const read = await sandbox.read(join(root, 'sub/f')).catch(() => undefined);
        if (read) {
          reads++;
          expect(Buffer.from(read).toString()).toBe('inside');
        }
        await sandbox.write(join(root, 'sub/f'), Buffer.from('inside')).catch(() => {});
        await sandbox.write(join(root, `sub/deep/new${i % 5}`), Buffer.from('x')).catch(() => {});
        await sandbox.list(join(root, 'sub')).catch(() => []);
      }
      isSwapping = false;
      await swapping;
      expect(swaps).toBeGreaterThan(0);
      expect(reads).toBeGreaterThan(0);
      expect(await readFile(join(outside, 'f'), 'utf8')).toBe('secret');
      // Without descriptors an empty folder or a temp file of ours may be left in a folder that was swapped in, never a file.
      const ours = way === 'inode' ? /^(f|deep|(deep\/)?\.tw-[\w-]+\.tmp)$/ : /^f$/;
      for (const name of await readdir(outside, { recursive: true })) expect(name).toMatch(ours);
    }),
  );
}

verifies('sandbox/no-fd-left', 'after every kind of success and failure', () =>
  inTempFolder(async (root) => {
    const sandbox = sandboxOf(root);
    await sandbox.write(join(root, 'a/b'), Buffer.from('x'));
    const before = await openDescriptors();
    for (const path of ['a/b', 'a', 'none', 'a/b/c', '../x', '/etc/passwd']) {
      const at = path.startsWith('/') ? path : join(root, path);
      await sandbox.read(at).catch(() => {});
      await sandbox.stat(at).catch(() => {});
      await sandbox.list(at).catch(() => {});
      await sandbox.write(at, Buffer.from('y'), { expect: null }).catch(() => {});
    }
    expect(await openDescriptors()).toBe(before);
  }),
);

test('a write-protected file is not written over', { skip: process.getuid?.() === 0 }, () =>
  inTempFolder(async (root) => {
    await writeFile(join(root, 'a'), 'old', { mode: 0o444 });
    expect(await messageOf(sandboxOf(root).write(join(root, 'a'), Buffer.from('x')))).toMatch(/refuses access/);
  }),
);
