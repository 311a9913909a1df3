import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { chmod, readdir, readFile as readHost, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyPatch } from 'diff';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { inTempFolder } from '../../testing/temp-folder.ts';
import { createToolRunner, type ToolRun, type ToolRunner } from '../../testing/tool-runner.ts';
import { fileEdit, fileWrite, readFile } from '../index.ts';

type Content = string | Uint8Array;

const withFiles = (files: Record<string, Content>, body: (tools: ToolRunner, root: string) => Promise<void>) =>
  inTempFolder(async (root) => {
    for (const [name, content] of Object.entries(files)) await writeFile(join(root, name), content);
    await body(createToolRunner([readFile, fileEdit, fileWrite], { root }), root);
  });

/** What an edit of a file that was read gives: the answer, and the bytes afterwards. */
async function edited(content: Content, input: object): Promise<{ run: ToolRun; bytes: Buffer; text: string }> {
  let end: { run: ToolRun; bytes: Buffer; text: string } | undefined;
  await withFiles({ f: content }, async (tools, root) => {
    await tools.run('read_file', { path: 'f' });
    const run = await tools.run('file_edit', { path: 'f', ...input });
    const bytes = await readHost(join(root, 'f'));
    end = { run, bytes, text: bytes.toString() };
  });
  return end as { run: ToolRun; bytes: Buffer; text: string };
}

const swap = (old_string: string, new_string: string, replace_all?: boolean) =>
  replace_all === undefined ? { old_string, new_string } : { old_string, new_string, replace_all };

verifies('EDIT-01', 'and what is put in takes the ending of the place', async () => {
  const crlf = 'one\r\ntwo\r\nthree\r\n';
  expect((await edited(crlf, swap('one\ntwo', 'ONE\nTWO'))).text).toBe('ONE\r\nTWO\r\nthree\r\n');
  expect((await edited(crlf, swap('two', 'two\nand a half'))).text).toBe('one\r\ntwo\r\nand a half\r\nthree\r\n');
  expect((await edited(crlf, swap('two\n', ''))).text).toBe('one\r\nthree\r\n');
  expect((await edited(crlf, swap('three\n', 'three\nfour\n'))).text).toBe('one\r\ntwo\r\nthree\r\nfour\r\n');
});

test('mixed endings stay as they are, line by line', async () => {
  const mixed = 'a\r\nb\nc\r\nd\n';
  expect((await edited(mixed, swap('a\nb\nc\nd', 'A\nB\nC\nD'))).text).toBe('A\r\nB\nC\r\nD\n');
  expect((await edited(mixed, swap('b\nc', 'b\nnew\nc'))).text).toBe('a\r\nb\nnew\r\nc\r\nd\n');
  expect((await edited('a\rb\r\nc\n', swap('a\rb', 'x\ry'))).text).toBe('x\ry\r\nc\n');
});

verifies('EDIT-03', 'the ending of the file wins', async () => {
  expect((await edited('x = 1\ny = 2\n', swap('x = 1\r\ny = 2', 'x = 3\r\ny = 4'))).text).toBe('x = 3\ny = 4\n');
});

verifies('EDIT-04', 'once and everywhere', async () => {
  for (const next of ['$$', '$&x', '$`', "$'y", '$1 ${HOME} $<n>']) {
    expect((await edited('A old B\n', swap('old', next))).text).toBe(`A ${next} B\n`);
    expect((await edited('old old\n', swap('old', next, true))).text).toBe(`${next} ${next}\n`);
  }
});

verifies('EDIT-06', 'a Latin-1 byte elsewhere', async () => {
  const before = Buffer.from('const x = 1;\n// caf\xe9 note\n', 'latin1');
  const { bytes } = await edited(before, swap('const x = 1;', 'const x = 2;'));
  expect(bytes).toEqual(Buffer.from('const x = 2;\n// caf\xe9 note\n', 'latin1'));
});

verifies('EDIT-06', 'single bad bytes in UTF-8, on other lines and on the same', async () => {
  const bad = Buffer.concat([
    Buffer.from('größer, süß, schön, Öl, Äpfel, Übermut\nname = 1; // '),
    Buffer.from([0xff, 0xc3, 0x20]),
    Buffer.from('x\nend = 2;\n'),
  ]);
  const one = await edited(bad, swap('end = 2', 'end = 3'));
  expect(one.bytes.equals(Buffer.from(bad.toString('latin1').replace('end = 2', 'end = 3'), 'latin1'))).toBe(true);
  const same = await edited(bad, swap('name = 1', 'name = ü'));
  const wanted = bad.toString('latin1').replace('name = 1', 'name = \xc3\xbc');
  expect(same.bytes.equals(Buffer.from(wanted, 'latin1'))).toBe(true);
  const behind = await edited(bad, swap('x\nend', 'y\nend'));
  expect(behind.bytes.equals(Buffer.from(bad.toString('latin1').replace('x\nend', 'y\nend'), 'latin1'))).toBe(true);
});

verifies('EDIT-08', 'edits at the mark and elsewhere, and a whole write', async () => {
  const marked = '\ufeffhello\nworld\n';
  expect((await edited(marked, swap('world', 'WORLD'))).text).toBe('\ufeffhello\nWORLD\n');
  expect((await edited(marked, swap('hello', 'hullo'))).text).toBe('\ufeffhullo\nworld\n');
  await withFiles({ f: marked }, async (tools, root) => {
    expect((await tools.run('read_file', { path: 'f' })).text).not.toContain('\ufeff');
    await tools.run('file_write', { path: 'f', content: 'new\n' });
    expect(await readHost(join(root, 'f'), 'utf8')).toBe('\ufeffnew\n');
  });
});

verifies('EDIT-09', 'curly quotes are not straight ones', async () => {
  const before = 'say “hi” — ok  \nname = "Alice"\na\u00a0b\n';
  const { run, text } = await edited(before, swap('name = “Alice”', 'name = "Bob"'));
  expect(text).toBe(before);
  expect(run.error?.code).toBe('failed');
  expect(run.text).toContain('differ from it only in blanks, quotes, dashes');
  expect(run.text).toContain('2\tname = "Alice"');
});

verifies('EDIT-11', 'counted with overlaps, replaced without', async () => {
  const before = 'foo\nfoo\nfoo\n';
  const once = await edited(before, swap('foo\nfoo\n', 'bar\n', false));
  expect(once.text).toBe(before);
  expect(once.run.text).toContain('stands 2 times in f:\n  line 1: foo\n  line 2: foo\n');
  const all = await edited(before, swap('foo\nfoo\n', 'bar\n', true));
  expect(all.text).toBe('bar\nfoo\n');
  expect(all.run.data).toMatchObject({ replacements: 1 });
});

verifies('EDIT-12', 'an empty search text', async () => {
  for (const all of [true, false]) {
    const { run, text } = await edited('abc', swap('', 'X', all));
    expect(text).toBe('abc');
    expect(run.error?.code).toBe('failed');
  }
  expect((await edited('', swap('', 'X'))).text).toBe('X');
  await withFiles({ empty: '' }, async (tools, root) => {
    expect((await tools.run('file_edit', { path: 'a/new.txt', ...swap('', 'X\n') })).text).toContain('Created');
    expect(await readHost(join(root, 'a/new.txt'), 'utf8')).toBe('X\n');
    expect((await tools.run('file_edit', { path: 'empty', ...swap('', 'Y') })).error).toBeUndefined();
    expect((await tools.run('file_edit', { path: 'gone', ...swap('a', 'Y') })).text).toContain('There is no file gone');
    expect((await readdir(root)).sort()).toEqual(['a', 'empty']);
  });
});

verifies('EDIT-13', 'a final newline that is not there', async () => {
  const { run, text } = await edited('a\nkey: 1', swap('key: 1\n', 'key: 2\n'));
  expect(text).toBe('a\nkey: 1');
  expect(run.text).toContain('f has no newline at its end');
  const decoy = await edited('return foobar', swap('return foo\n', 'return bar\n'));
  expect(decoy.text).toBe('return foobar');
  expect(decoy.run.error?.code).toBe('failed');
});

verifies('EDIT-15', 'fifty batches of six edits and a write of one file', () =>
  withFiles({}, async (tools, root) => {
    const numbers = Array.from({ length: 100 }, (_, i) => `<${i + 1}>\n`).join('');
    for (let round = 0; round < 50; round++) {
      const path = `f${round}`;
      await tools.run('file_write', { path, content: numbers });
      const wanted = [10, 11, 12, 50, 51, 100];
      const runs = await tools.batch(
        wanted.map(
          (n) => ['file_edit', { path: n % 2 ? path : `./${path}`, ...swap(`<${n}>`, `<new ${n}>`) }] as const,
        ),
      );
      const text = await readHost(join(root, path), 'utf8');
      for (const [index, n] of wanted.entries()) {
        expect(runs[index]?.error).toBeUndefined();
        expect(text).toContain(`<new ${n}>\n`);
      }
      expect(text.split('\n')).toHaveLength(101);
    }
  }),
);

test('edits that go past the claims never lose one that said it succeeded', () =>
  withFiles({ f: 'a b c d e f g h\n' }, async (tools, root) => {
    await tools.run('read_file', { path: 'f' });
    const letters = 'abcdefgh'.split('');
    const ends = await Promise.allSettled(
      letters.map((letter) => fileEdit.run({ path: 'f', ...swap(letter, letter.toUpperCase()) }, tools.context)),
    );
    const text = await readHost(join(root, 'f'), 'utf8');
    ends.forEach((end, index) => {
      const letter = letters[index] as string;
      expect(text).toContain(end.status === 'fulfilled' ? letter.toUpperCase() : letter);
    });
    expect(ends.some((end) => end.status === 'fulfilled')).toBe(true);
  }));

verifies('EDIT-18', 'no newline comes or goes', async () => {
  expect((await edited('x\ny', swap('y', 'z'))).text).toBe('x\nz');
  expect((await edited('x\ny\n', swap('y\n', 'y'))).text).toBe('x\ny');
});

verifies('EDIT-19', 'changes by others between read and edit', () =>
  withFiles({ f: 'v=1\nw=1\n' }, async (tools, root) => {
    const path = join(root, 'f');
    await tools.run('read_file', { path: 'f' });
    const { atime, mtime } = statSync(path);
    for (const touch of [false, true]) {
      writeFileSync(path, 'v=1\nw=2\n');
      if (touch) await utimes(path, atime, mtime);
      const run = await tools.run('file_edit', { path: 'f', ...swap('v=1', 'v=5') });
      expect(run.text).toContain('has changed on disk since it was read');
      expect(readFileSync(path, 'utf8')).toBe('v=1\nw=2\n');
    }
    await tools.run('read_file', { path: 'f' });
    await utimes(path, 5, 5);
    expect((await tools.run('file_edit', { path: 'f', ...swap('v=1', 'v=5') })).error).toBeUndefined();
    expect(readFileSync(path, 'utf8')).toBe('v=5\nw=2\n');
  }),
);

test('a change in the moment before the write is not overwritten', () =>
  withFiles({ f: 'v=1\nw=1\n' }, async (tools, root) => {
    const { context } = tools;
    await tools.run('read_file', { path: 'f' });
    const sandbox = {
      ...context.sandbox,
      write: async (...args: Parameters<typeof context.sandbox.write>) => {
        await writeFile(join(root, 'f'), 'v=1\nw=2\n');
        return context.sandbox.write(...args);
      },
    };
    const run = fileEdit.run({ path: 'f', ...swap('v=1', 'v=5') }, { ...context, sandbox });
    await expect(run).rejects.toThrow(/has changed on disk/);
    expect(await readHost(join(root, 'f'), 'utf8')).toBe('v=1\nw=2\n');
  }));

verifies('edit/read-first', 'a file that nobody read', () =>
  withFiles({ f: 'a\n' }, async (tools, root) => {
    const run = await tools.run('file_edit', { path: 'f', ...swap('a', 'b') });
    expect(run.text).toContain('has not been read yet');
    expect(run.error?.hint).toContain('read_file {"path": "f"}');
    expect(await readHost(join(root, 'f'), 'utf8')).toBe('a\n');
    await tools.run('read_file', { path: 'f' });
    for (const [old, next] of [
      ['a', 'b'],
      ['b', 'c'],
    ] as const) {
      expect((await tools.run('file_edit', { path: './f', ...swap(old, next) })).error).toBeUndefined();
    }
  }),
);

verifies('edit/several', 'in order, all or none', async () => {
  const before = 'a\nb\nc\n';
  const both = await edited(before, {
    edits: [swap('a', 'x'), swap('x\nb', 'y'), { ...swap('c', 'z'), replace_all: true }],
  });
  expect(both.text).toBe('y\nz\n');
  expect(both.run.text).toBe('Edited f: 3 replacements, now at lines 1-2 (2 added, 3 removed).');
  const none = await edited(before, { edits: [swap('a', 'x'), swap('nothing', 'y')] });
  expect(none.text).toBe(before);
  expect(none.run.text).toContain('Edit 2 of 2: old_string is not in f');
  for (const input of [
    {},
    { old_string: 'a' },
    { new_string: 'a' },
    { edits: [] },
    { ...swap('a', 'b'), edits: [swap('b', 'c')] },
  ]) {
    const { run, text } = await edited(before, input);
    expect(run.error?.code).toBe('invalid_input');
    expect(text).toBe(before);
  }
});

verifies('edit/diff', 'the patch gives the new file, the text gives the lines', async () => {
  const before = Array.from({ length: 200 }, (_, i) => `line ${i + 1}\n`).join('');
  const { run, text } = await edited(before, { edits: [swap('line 50\n', 'LINE 50\nmore\n'), swap('line 150\n', '')] });
  const { diff, added, removed } = run.data as { diff: string; added: number; removed: number };
  expect(applyPatch(before, diff)).toBe(text);
  expect({ added, removed }).toEqual({ added: 2, removed: 2 });
  expect(run.text).toContain('now at lines 50-51, 151');
});

verifies('edit/no-match', 'nearest lines, and copied line numbers', async () => {
  const before = 'function alpha() {\n  return computeTotal(items);\n}\n';
  const near = await edited(before, swap('  return computeTotals(item);', 'x'));
  expect(near.run.text).toContain('The nearest lines are:\n2\t  return computeTotal(items);');
  const numbered = await edited(before, swap('1\tfunction alpha() {\n2\t  return', 'x'));
  expect(numbered.run.text).toContain('old_string holds the line numbers');
  const indented = await edited(before, swap('    return computeTotal(items);\n}', 'x'));
  expect(indented.run.text).toContain('differ from it only in blanks');
  const same = await edited(before, swap('alpha', 'alpha'));
  expect(same.run.text).toContain('are the same');
  const half = await edited(before, swap('alpha', '\ud83d'));
  expect(half.run.error?.code).toBe('invalid_input');
});

verifies('edit/encodings', 'UTF-16 of both orders', async () => {
  const text = '\ufeffname = 名\r\nzweite = ü\r\n';
  const le = Buffer.from(text, 'utf16le');
  const wanted = Buffer.from(text.replace('名', '前😀'), 'utf16le');
  expect((await edited(le, swap('名', '前😀'))).bytes.equals(wanted)).toBe(true);
  const be = await edited(Buffer.from(le).swap16(), swap('名', '前😀'));
  expect(be.bytes.equals(Buffer.from(wanted).swap16())).toBe(true);
});

verifies('edit/encodings', 'legacy encodings', async () => {
  const samples: [string, string, string, string][] = [
    ['shift_jis', '設定ファイルを読み込みます。東京タワーは高い。\nキー = 値\n', '東京タワー', '大阪の城'],
    ['gbk', '这是一个中文文本文件，用来测试编辑工具。设置文件已经被读取，北京是首都。\n', '北京是', '上海不是'],
    ['latin1', 'Müller isst Käse im Café\n', 'Käse', 'Süßes'],
    ['big5', '設定檔案已經讀取，北京台灣測試編輯工具，這是一個中文文字檔案。\n', '北京', '臺北'],
    ['euc-jp', '日本語のテキストファイルを編集する。設定ファイルを読み込みます。\n', '編集', '変更'],
    ['win1251', 'Привет, мир! Это файл настроек программы. Здесь можно изменить ключи и пароли.\n', 'ключи', 'имена'],
  ];
  for (const [name, text, old, next] of samples) {
    const { run, bytes } = await edited(iconv.encode(text, name), swap(old, next));
    if (run.error) expect(run.text).toContain('without being bent');
    else expect(iconv.decode(bytes, name)).toBe(text.replace(old, next));
    if (name !== 'win1251') expect(run.error).toBeUndefined();
    const emoji = await edited(iconv.encode(text, name), swap(old, '\u0dda\u{1f600}'));
    if (name !== 'gbk') expect(emoji.run.text).toContain('cannot be edited here without being bent');
  }
});

verifies('edit/encodings', 'an uncertain encoding takes ASCII only', async () => {
  const short = iconv.encode('x = 1 # 中文测试\n', 'gbk');
  const ascii = await edited(short, swap('x = 1', 'x = 2'));
  expect(iconv.decode(ascii.bytes, 'gbk')).toBe('x = 2 # 中文测试\n');
  const other = await edited(short, swap('测试', '试验'));
  expect(other.run.text).toContain('the encoding of this file is not certain');
  expect(other.bytes.equals(short)).toBe(true);
});

test('binary files, folders and files outside are refused', () =>
  withFiles({ bin: Buffer.from([0, 1, 2, 3, 0, 255, 0, 7]) }, async (tools, root) => {
    await tools.run('read_file', { path: 'bin' });
    expect((await tools.run('file_edit', { path: 'bin', ...swap('a', 'b') })).text).toContain('is binary');
    expect((await tools.run('file_edit', { path: '.', ...swap('a', 'b') })).text).toContain('is a folder');
    expect((await tools.run('file_edit', { path: '/etc/hosts', ...swap('a', 'b') })).error?.code).toBe('denied');
    await symlink('/tmp/nothing-here', join(root, 'd'));
    expect((await tools.run('file_edit', { path: 'd', ...swap('', 'b') })).error?.code).toBe('denied');
  }));

test('mode and a link to the file are kept', () =>
  withFiles({ 'run.sh': 'echo a\n' }, async (tools, root) => {
    await chmod(join(root, 'run.sh'), 0o755);
    await symlink('run.sh', join(root, 'link'));
    await tools.run('read_file', { path: 'link' });
    expect((await tools.run('file_edit', { path: 'link', ...swap('a', 'b') })).error).toBeUndefined();
    expect(await readHost(join(root, 'run.sh'), 'utf8')).toBe('echo b\n');
    expect((await stat(join(root, 'run.sh'))).mode & 0o777).toBe(0o755);
  }));

test('a hundred thousand places in one line are replaced quickly', async () => {
  const began = Date.now();
  const { text } = await edited('ab '.repeat(100_000), swap('ab', 'x\ny', true));
  expect(text).toBe('x\ny '.repeat(100_000));
  expect(Date.now() - began).toBeLessThan(5_000);
});

test('the names of other agents', () =>
  withFiles({ f: 'a\n' }, async (tools) => {
    await tools.run('read_file', { path: 'f' });
    expect((await tools.run('file_update', { path: 'f', ...swap('a', 'b') })).error).toBeUndefined();
  }));
