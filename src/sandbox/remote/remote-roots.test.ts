import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { inRemoteWorld } from '../../../test/remote-world.ts';
import { verifies } from '../../../test/verifies.ts';
import type { Roots, Sandbox } from '../../core/index.ts';

interface Parts {
  readonly base: string;
  readonly root: string;
  readonly sandbox: Sandbox;
  readonly roots: Roots;
}

const inRoots = (body: (parts: Parts) => Promise<void>) =>
  inRemoteWorld(async ({ base, root, connect }) => body({ base, root, ...(await connect()) }));

const refused = async (work: Promise<unknown>, code = 'denied') => expect(work).rejects.toMatchObject({ code });

verifies('PATH-01', 'the far side refuses a sibling with the same beginning, and takes the root itself', () =>
  inRoots(async ({ base, root, roots }) => {
    await mkdir(join(base, 'root-evil'));
    await writeFile(join(base, 'root-evil/s.txt'), 'x');
    for (const path of [join(base, 'root-evil/s.txt'), '../root-evil/s.txt', '../root-evil']) {
      await refused(roots.resolve(path, 'read'));
    }
    for (const path of [root, `${root}/`, '.']) expect((await roots.resolve(path, 'read')).real).toBe(root);
    expect(roots.display(join(root, 'a/b'))).toBe('a/b');
    expect(roots.display(root)).toBe('.');
    expect(roots.display('/etc/passwd')).toBe('/etc/passwd');
  }),
);

verifies('PATH-02', 'the far side refuses a dangling link and makes nothing where it points', () =>
  inRoots(async ({ base, root, roots, sandbox }) => {
    await symlink(join(base, 'new.txt'), join(root, 'd'));
    await symlink('d', join(root, 'd2'));
    for (const path of ['d', 'd2']) {
      await refused(roots.resolve(path, 'write'));
      await refused(sandbox.write(join(root, path), Buffer.from('x')));
    }
    expect(await readdir(base)).not.toContain('new.txt');
  }),
);

verifies('PATH-03', 'the far side judges a new file below a linked folder by where that is', () =>
  inRoots(async ({ base, root, roots, sandbox }) => {
    await mkdir(join(base, 'outside'));
    await symlink(join(base, 'outside'), join(root, 'sub'));
    await refused(roots.resolve('sub/a/b/new.txt', 'write'));
    await refused(sandbox.write(join(root, 'sub/a/b/new.txt'), Buffer.from('x')));
    expect(await readdir(join(base, 'outside'))).toEqual([]);
  }),
);

verifies('PATH-04', 'a root that a client names through a link works, and each way of writing a path is one file', () =>
  inRemoteWorld(async ({ root, connect }) => {
    await mkdir(join(root, 'real'));
    await writeFile(join(root, 'real/a.txt'), 'x');
    await symlink('real', join(root, 'link'));
    const link = join(root, 'link');
    const { roots, sandbox } = await connect({
      cwd: link,
      roots: [{ path: link, access: 'write', label: 'workspace' }],
    });
    for (const path of ['a.txt', join(link, 'a.txt'), join(root, 'real/a.txt')]) {
      const found = await roots.resolve(path, 'write');
      expect(found.real).toBe(join(root, 'real/a.txt'));
      expect(roots.display(found.real)).toBe('a.txt');
      expect((await sandbox.read(found.real)).byteLength).toBe(1);
    }
  }),
);

verifies('PATH-05', 'names with dots, tildes, brackets, percent signs and newlines cross the line as they are', () =>
  inRoots(async ({ root, roots, sandbox }) => {
    const names = [
      'a..b.txt',
      '[...slug].tsx',
      'v1..2/x',
      'file~',
      '~tmp/x',
      '...',
      '..a',
      'a\nb',
      'x%2e%2e',
      'a?b#c&d=e',
      'ä☕ +',
    ];
    for (const name of names) {
      const { real } = await roots.resolve(name, 'write');
      expect(real).toBe(join(root, name));
      await sandbox.write(real, Buffer.from(name));
      expect(Buffer.from(await sandbox.read(real)).toString()).toBe(name);
    }
    expect((await roots.resolve('x/../a..b.txt', 'read')).exists).toBe(true);
    await refused(roots.resolve('x/../../y', 'read'));
    await refused(roots.resolve('~/x', 'read'), 'invalid_input');
  }),
);

verifies('PATH-08', 'odd path arguments are refused with the reason before or behind the line', () =>
  inRoots(async ({ root, roots, sandbox }) => {
    for (const path of ['a.txt\0.png', '', ' ', 'x'.repeat(5_000), 5, null, '\ud800']) {
      await refused(roots.resolve(path as string, 'read'), 'invalid_input');
    }
    await refused(sandbox.read(`${root}/a\0b`), 'invalid_input');
    await refused(sandbox.read('a'), 'invalid_input');
    expect((await roots.resolve(`file://${root}/a.txt`, 'read')).real).toBe(join(root, 'a.txt'));
  }),
);
