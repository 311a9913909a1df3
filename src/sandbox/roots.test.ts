import { mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { isToolwrightError, type Root } from '../core/index.ts';
import { inTempFolder } from '../testing/temp-folder.ts';
import { createToolContext } from '../testing/tool-context.ts';

async function inRoot(body: (root: string, outside: string) => Promise<void>): Promise<void> {
  await inTempFolder(async (base) => {
    const root = join(base, 'root');
    const outside = join(base, 'outside');
    await mkdir(root);
    await mkdir(outside);
    await body(root, outside);
  });
}

const resolver = (root: string, roots: readonly Root[] = []) => createToolContext({ root, roots }).roots;

async function refusal(promise: Promise<unknown>): Promise<{ code: string; message: string; hint: string }> {
  const error: unknown = await promise.then(
    (value) => expect.fail(`not refused: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!isToolwrightError(error)) throw error;
  return { code: error.code, message: error.message, hint: error.hint ?? '' };
}

verifies('PATH-01', 'a sibling with the same beginning is outside', () =>
  inRoot(async (root) => {
    const sibling = `${root}-evil`;
    await mkdir(sibling);
    await writeFile(join(sibling, 's.txt'), 'secret');
    const roots = resolver(root);
    for (const path of [join(sibling, 's.txt'), '../root-evil/s.txt', '..', '/', '/etc/passwd', 'x/../../root-evil']) {
      const { code, hint } = await refusal(roots.resolve(path, 'read'));
      expect(code).toBe('denied');
      expect(hint).toContain(root);
      expect(hint).toContain('--add-dir');
    }
    for (const path of [root, `${root}/`, '.', './']) expect((await roots.resolve(path, 'read')).real).toBe(root);
  }),
);

verifies('PATH-01', 'the root / takes everything', () =>
  inRoot(async (root) => {
    await writeFile(join(root, 'a'), 'a');
    const ctx = createToolContext({ root: '/' });
    expect(await ctx.roots.resolve(join(root, 'a'), 'read')).toMatchObject({ real: join(root, 'a'), exists: true });
    expect((await ctx.roots.resolve('/', 'read')).real).toBe('/');
    expect(Buffer.from(await ctx.sandbox.read(join(root, 'a'))).toString()).toBe('a');
    expect(ctx.roots.display(join(root, 'a'))).toBe(join(root, 'a').slice(1));
  }),
);

verifies('PATH-02', 'a dangling link is refused for reading and writing', () =>
  inRoot(async (root, outside) => {
    const target = join(outside, 'new.txt');
    await symlink(target, join(root, 'd'));
    await symlink('d', join(root, 'd2'));
    await symlink('gone-inside', join(root, 'd3'));
    const ctx = createToolContext({ root });
    for (const name of ['d', 'd2', 'd3', 'd/below']) {
      expect((await refusal(ctx.roots.resolve(name, 'write'))).code).toBe('denied');
      expect((await refusal(ctx.sandbox.write(join(root, name), Buffer.from('x')))).code).toBe('denied');
    }
    await expect(stat(target)).rejects.toThrow();
  }),
);

verifies('PATH-02', 'a link that stays inside works, and a write goes to its target', () =>
  inRoot(async (root) => {
    await writeFile(join(root, 'real.txt'), 'old');
    await symlink('real.txt', join(root, 'link'));
    const ctx = createToolContext({ root });
    expect((await ctx.roots.resolve('link', 'write')).real).toBe(join(root, 'real.txt'));
    await ctx.sandbox.write(join(root, 'link'), Buffer.from('new'));
    expect(await readFile(join(root, 'real.txt'), 'utf8')).toBe('new');
    expect((await ctx.sandbox.stat(join(root, 'link')))?.kind).toBe('symlink');
  }),
);

verifies('PATH-03', 'nothing is made below a folder that is linked out', () =>
  inRoot(async (root, outside) => {
    await symlink(outside, join(root, 'sub'));
    const ctx = createToolContext({ root });
    expect((await refusal(ctx.roots.resolve('sub/a/b/new.txt', 'write'))).message).toContain(outside);
    expect((await refusal(ctx.sandbox.write(join(root, 'sub/a/b/new.txt'), Buffer.from('x')))).code).toBe('denied');
    await expect(stat(join(outside, 'a'))).rejects.toThrow();
  }),
);

verifies('PATH-04', 'a linked root is the same as its target', () =>
  inRoot(async (root, outside) => {
    const link = join(outside, 'rootlink');
    await symlink(root, link);
    await writeFile(join(root, 'a.txt'), 'a');
    const ctx = createToolContext({ root: link });
    for (const path of [join(link, 'a.txt'), join(root, 'a.txt'), 'a.txt', './x/../a.txt']) {
      const found = await ctx.roots.resolve(path, 'read');
      expect(found.real).toBe(join(root, 'a.txt'));
      expect(ctx.roots.display(found.path)).toBe('a.txt');
      expect(Buffer.from(await ctx.sandbox.read(found.path)).toString()).toBe('a');
    }
  }),
);

verifies('PATH-05', 'unusual names are legal', () =>
  inRoot(async (root) => {
    const ctx = createToolContext({ root });
    for (const name of [
      'a..b.txt',
      '[...slug].tsx',
      'v1..2/x',
      'file~',
      '~tmp/x',
      '...',
      '..a',
      'a b',
      'ü',
      '*',
      'a\\b',
    ]) {
      const { real } = await ctx.roots.resolve(name, 'write');
      expect(real).toBe(join(root, name));
      await ctx.sandbox.write(real, Buffer.from(name));
      expect(Buffer.from(await ctx.sandbox.read(real)).toString()).toBe(name);
    }
    expect((await ctx.roots.resolve('x/../a..b.txt', 'read')).exists).toBe(true);
    for (const path of ['~/a', '~']) {
      const { code, hint } = await refusal(ctx.roots.resolve(path, 'write'));
      expect(code).toBe('invalid_input');
      expect(hint).toContain('absolute path');
    }
    expect((await ctx.roots.resolve('./~', 'write')).real).toBe(join(root, '~'));
  }),
);

verifies('PATH-08', 'odd arguments are refused with the reason', () =>
  inRoot(async (root) => {
    const roots = resolver(root);
    const odd: [unknown, RegExp][] = [
      ['a.txt\0.png', /NUL/],
      ['', /empty/],
      [' ', /empty/],
      ['x'.repeat(5_000), /too long/],
      ['ab/'.repeat(2_000), /too long/],
      ['x'.repeat(256), /too long/],
      [5, /not number/],
      [null, /not null/],
      [undefined, /not undefined/],
      ['\ud800', /surrogate/],
      ['file://other-host/a', /file URL/],
    ];
    for (const [path, why] of odd) {
      const { code, message } = await refusal(roots.resolve(path as string, 'read'));
      expect(code).toBe('invalid_input');
      expect(message).toMatch(why);
    }
    await writeFile(join(root, 'a\nb.txt'), 'x');
    expect((await roots.resolve('a\nb.txt', 'read')).exists).toBe(true);
    expect((await roots.resolve(`file://${root}/a%0Ab.txt`, 'read')).exists).toBe(true);
    expect((await refusal(roots.resolve('file:///etc/passwd', 'read'))).code).toBe('denied');
  }),
);

test('the innermost root decides, and a read-only one refuses writing', () =>
  inRoot(async (root, outside) => {
    const library: Root = { path: join(root, 'library'), access: 'read', label: 'library' };
    await mkdir(library.path);
    const roots = resolver(root, [library, { path: outside, access: 'write', label: 'added' }]);
    expect((await roots.resolve('library/a', 'read')).root.label).toBe('library');
    const { code, hint } = await refusal(roots.resolve('library/a', 'write'));
    expect(code).toBe('denied');
    expect(hint).toContain(outside);
    expect((await roots.resolve(join(outside, 'a'), 'write')).root.label).toBe('added');
  }));

test('a working folder that is gone is named, and is not made again', () =>
  inRoot(async (root) => {
    const ctx = createToolContext({ root });
    await ctx.roots.resolve('a', 'write');
    await rm(root, { recursive: true });
    expect((await refusal(ctx.roots.resolve('a', 'write'))).message).toContain('does not exist');
    expect((await refusal(ctx.sandbox.write(join(root, 'a'), Buffer.from('x')))).code).toBe('denied');
    await expect(stat(root)).rejects.toThrow();
  }));

test('a root that is replaced by a link opens nothing new', () =>
  inRoot(async (root, outside) => {
    await writeFile(join(outside, 's'), 'secret');
    const ctx = createToolContext({ root });
    await ctx.roots.resolve('s', 'read');
    await ctx.sandbox.list(root);
    await rename(root, `${root}-moved`);
    await symlink(outside, root);
    expect((await refusal(ctx.roots.resolve('s', 'read'))).code).toBe('denied');
    expect((await refusal(ctx.sandbox.read(join(root, 's')))).code).toBe('denied');
  }));

test('a link that leads in a circle is refused', () =>
  inRoot(async (root) => {
    await symlink('b', join(root, 'a'));
    await symlink('a', join(root, 'b'));
    expect((await refusal(resolver(root).resolve('a', 'read'))).code).toBe('denied');
  }));
