import { mkdir, readdir, readFile as readHost, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { inTempFolder } from '../../testing/temp-folder.ts';
import { createToolRunner, type ToolRunner } from '../../testing/tool-runner.ts';
import { fileWrite, readFile } from '../index.ts';

const withFiles = (
  files: Record<string, string | Uint8Array>,
  body: (tools: ToolRunner, root: string) => Promise<void>,
) =>
  inTempFolder(async (root) => {
    for (const [name, content] of Object.entries(files)) await writeFile(join(root, name), content);
    await body(createToolRunner([readFile, fileWrite], { root }), root);
  });

verifies('EDIT-18', 'whole writes', () =>
  withFiles({}, async (tools, root) => {
    for (const [index, content] of ['a', 'a\n', 'a\n\n', '', 'a\r\nb', '\ufeffx', 'ü漢😀\0'].entries()) {
      const path = `deep/er/f${index}`;
      expect((await tools.run('file_write', { path, content })).error).toBeUndefined();
      expect((await readHost(join(root, path))).equals(Buffer.from(content))).toBe(true);
      expect((await tools.run('file_write', { path, content: `${content}!` })).error).toBeUndefined();
      expect((await readHost(join(root, path))).equals(Buffer.from(`${content}!`))).toBe(true);
    }
  }),
);

verifies('edit/read-first', 'overwriting needs a reading, and the same file', () =>
  withFiles({ f: 'old\n' }, async (tools, root) => {
    const write = () => tools.run('file_write', { path: 'f', content: 'new\n' });
    expect((await write()).text).toContain('has not been read yet');
    await tools.run('read_file', { path: 'f' });
    await writeFile(join(root, 'f'), 'other\n');
    expect((await write()).text).toContain('has changed on disk since it was read');
    expect(await readHost(join(root, 'f'), 'utf8')).toBe('other\n');
    await tools.run('read_file', { path: 'f' });
    const { text, data } = await write();
    expect(text).toContain('Overwrote f (now 4 bytes; lines: 1 added, 1 removed).');
    expect((data as { diff: string }).diff).toContain('-other\n+new\n');
  }),
);

verifies('EDIT-08', 'UTF-16 stays UTF-16, a legacy file becomes UTF-8 and says so', () =>
  withFiles(
    {
      wide: Buffer.from('\ufeffold', 'utf16le'),
      latin: iconv.encode('café\n', 'latin1'),
    },
    async (tools, root) => {
      for (const path of ['wide', 'latin']) await tools.run('read_file', { path });
      await tools.run('file_write', { path: 'wide', content: 'nü' });
      expect((await readHost(join(root, 'wide'))).equals(Buffer.from('\ufeffnü', 'utf16le'))).toBe(true);
      const { text } = await tools.run('file_write', { path: 'latin', content: 'thé\n' });
      expect(text).toContain('was in windows-1252 before and is UTF-8 now');
      expect(await readHost(join(root, 'latin'), 'utf8')).toBe('thé\n');
    },
  ),
);

verifies('write/append', 'adds to what is there now, in its encoding', () =>
  withFiles(
    {
      f: 'a',
      wide: Buffer.from('\ufeffa', 'utf16le').swap16(),
      latin: iconv.encode('café\n', 'latin1'),
    },
    async (tools, root) => {
      const append = (path: string, content: string) => tools.run('file_write', { path, content, mode: 'append' });
      expect((await append('f', 'b\n')).text).toContain('Appended to f');
      expect((await append('new', 'x')).text).toContain('Created new');
      expect(await readHost(join(root, 'f'), 'utf8')).toBe('ab\n');
      await append('wide', 'ü');
      expect((await readHost(join(root, 'wide'))).swap16().toString('utf16le')).toBe('\ufeffaü');
      await append('latin', 'thé\n');
      expect(iconv.decode(await readHost(join(root, 'latin')), 'latin1')).toBe('café\nthé\n');
      expect((await append('latin', '漢')).text).toContain('cannot write this content');
      expect((await tools.run('file_write', { path: 'f', content: 'x' })).text).toContain('has not been read yet');
    },
  ),
);

verifies('write/append', 'many at once, past the claims', () =>
  withFiles({ f: '' }, async (tools, root) => {
    const runs = await Promise.allSettled(
      Array.from({ length: 4 }, (_, i) =>
        fileWrite.run({ path: 'f', content: `<${i}>`, mode: 'append' }, tools.context),
      ),
    );
    const text = await readHost(join(root, 'f'), 'utf8');
    runs.forEach((run, i) => {
      expect(text.split(`<${i}>`)).toHaveLength(run.status === 'fulfilled' ? 2 : 1);
    });
    expect(runs.every((run) => run.status === 'fulfilled')).toBe(true);
  }),
);

verifies('PATH-02', 'file_write through dangling links', () =>
  inTempFolder(async (base) => {
    const root = join(base, 'root');
    await mkdir(root);
    await symlink(join(base, 'new.txt'), join(root, 'd'));
    await symlink(base, join(root, 'up'));
    const tools = createToolRunner([fileWrite], { root });
    for (const path of ['d', 'up/x', 'up/a/b/x', '../x', `${root}-evil/x`]) {
      expect((await tools.run('file_write', { path, content: 'x' })).error?.code).toBe('denied');
    }
    expect(await readdir(base)).toEqual(['root']);
  }),
);

test('folders, files in the way and half characters are refused', () =>
  withFiles({ f: 'a' }, async (tools, root) => {
    await mkdir(join(root, 'folder'));
    const write = (path: string, content = 'x') => tools.run('file_write', { path, content });
    expect((await write('folder')).text).toContain('folder is a folder');
    expect((await write('f/below')).text).toContain('is a file, not a folder');
    expect((await write('g', '\udc00')).error?.code).toBe('invalid_input');
    expect((await readdir(root)).sort()).toEqual(['f', 'folder']);
  }));

test('a new file gets the usual mode', () =>
  withFiles({}, async (tools, root) => {
    await tools.run('file_write', { path: 'f', content: 'x' });
    const mask = process.umask();
    expect((await stat(join(root, 'f'))).mode & 0o777).toBe(0o666 & ~mask);
  }));
