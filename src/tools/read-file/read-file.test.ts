import { execFileSync } from 'node:child_process';
import { mkdir, open, readdir, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { createReadState } from '../../executor/index.ts';
import { createMemoryOutputs } from '../../testing/memory-outputs.ts';
import { inTempFolder } from '../../testing/temp-folder.ts';
import { createToolRunner, type ToolRunner } from '../../testing/tool-runner.ts';
import { fileEdit, readFile } from '../index.ts';

type Content = string | Uint8Array;

/** Files in a folder of their own, and the tools on it. */
const withFiles = (files: Record<string, Content>, body: (tools: ToolRunner, root: string) => Promise<void>) =>
  inTempFolder(async (root) => {
    for (const [name, content] of Object.entries(files)) await writeFile(join(root, name), content);
    await body(createToolRunner([readFile, fileEdit], { root }), root);
  });

/** What `read_file` says of one file. */
const readOf = async (content: Content, range: object = {}) => {
  let text = '';
  await withFiles({ f: content }, async (tools) => {
    text = (await tools.run('read_file', { path: 'f', ...range })).text;
  });
  return text;
};

const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join('');

test('shows number, tab and exact text, and how to go on', async () => {
  expect(await readOf('one\n\ttwo  \n\nfour\n')).toBe('1\tone\n2\t\ttwo  \n3\t\n4\tfour\n[lines 1-4 of 4]');
  expect(await readOf(lines(10), { offset: 4, limit: 2 })).toBe(
    '4\tline 4\n5\tline 5\n[lines 4-5 of 10; continue with offset=6]',
  );
  expect(await readOf(lines(10), { offset: 9 })).toBe('9\tline 9\n10\tline 10\n[lines 9-10 of 10]');
});

verifies('read/bounds', 'lines, characters and tokens', async () => {
  const many = await readOf(lines(5_000));
  expect(many).toContain('\n2000\tline 2000\n[lines 1-2000 of 5000; continue with offset=2001]');
  const wide = await readOf(`${'word '.repeat(100)}\n`.repeat(500));
  expect(wide.length).toBeLessThan(51_000);
  expect(wide).toMatch(/\[lines 1-\d+ of 500; continue with offset=\d+\]$/);
  const { estimateTokenCount } = await import('tokenx');
  const dense = await readOf(`${'漢字'.repeat(300)}\n`.repeat(500));
  expect(estimateTokenCount(dense)).toBeLessThan(12_000);
  expect(dense).toMatch(/continue with offset=\d+\]$/);
});

verifies('read/bounds', 'following the footers shows every line once', () =>
  withFiles({ f: Array.from({ length: 3_000 }, (_, i) => `${i} ${'x'.repeat(i % 90)}\n`).join('') }, async (tools) => {
    const seen: string[] = [];
    for (let offset = 1; offset > 0; ) {
      const { text } = await tools.run('read_file', { path: 'f', offset });
      seen.push(...text.split('\n').slice(0, -1));
      offset = Number(/continue with offset=(\d+)/.exec(text)?.[1] ?? 0);
    }
    expect(seen.map((line) => line.split('\t')[0])).toEqual(Array.from({ length: 3_000 }, (_, i) => `${i + 1}`));
  }),
);

verifies('READ-01', 'a line of five million characters', async () => {
  const text = await readOf('a'.repeat(5_000_000));
  expect(text.length).toBeLessThan(3_000);
  expect(text).toContain('5,000,000 bytes');
  expect(text).toContain('grep_files');
  expect(text).toContain('no newline at the end');
  expect(await readOf('a'.repeat(5_000_000), { offset: 0, limit: 1 })).toContain('counted from 1');
  expect(await readOf(`${'é'.repeat(3_000)}\nb\n`)).toMatch(/^1\té{2000} … \[line cut/);
});

verifies('READ-01', 'a file of 5 GB is read in ranges', () =>
  withFiles({ f: lines(40_000) }, async (tools, root) => {
    const handle = await open(join(root, 'f'), 'r+');
    await handle.truncate(5 * 2 ** 30);
    await handle.close();
    const before = process.memoryUsage().rss;
    const { text } = await tools.run('read_file', { path: 'f', limit: 3 });
    expect(text).toMatch(/^1\tline 1\n2\tline 2\n3\tline 3\n\[lines 1-3 of at least 40001; continue with offset=4/);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 2 ** 20);
  }),
);

test('a big file is paged like a small one', () =>
  withFiles({ f: lines(900_000) }, async (tools) => {
    const { text } = await tools.run('read_file', { path: 'f', offset: 899_999 });
    expect(text).toBe('899999\tline 899999\n900000\tline 900000\n[lines 899999-900000 of 900000]');
  }));

verifies('READ-03', 'special files', () =>
  withFiles({}, async (tools, root) => {
    execFileSync('mkfifo', [join(root, 'p')]);
    const server = createServer();
    await new Promise<void>((done) => server.listen(join(root, 's'), done));
    const open = async () => (await readdir('/proc/self/fd')).length;
    const before = await open();
    const began = Date.now();
    for (const [name, kind] of Object.entries({ p: 'fifo', s: 'socket' })) {
      expect((await tools.run('read_file', { path: name })).text).toContain(`${name} is a ${kind}`);
      const edited = await tools.run('file_edit', { path: name, old_string: 'a', new_string: 'b' });
      expect(edited.text).toContain(`${name} is a ${kind}`);
    }
    expect(Date.now() - began).toBeLessThan(1_000);
    expect(await open()).toBe(before);
    await new Promise((done) => server.close(done));
  }),
);

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

verifies('READ-05', 'binary files are told by content', () => {
  const noise = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]),
    Buffer.from(Array.from({ length: 1_000 }, (_, i) => (i * 7919) % 256)),
  ]);
  const elf = Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]), Buffer.alloc(500)]);
  const text = Buffer.from(`${'x'.repeat(99)}\n`.repeat(120));
  text[9_000] = 0;
  return withFiles({ 'a.png': noise, 'a.txt': noise, elf, text }, async (tools) => {
    for (const path of ['a.png', 'a.txt']) {
      const { text } = await tools.run('read_file', { path });
      expect(text).toMatch(/is binary: 1,016 bytes, type image\/png/);
      expect(text.length).toBeLessThan(400);
    }
    expect((await tools.run('read_file', { path: 'elf' })).text).toContain('type application/x-elf');
    const nul = await tools.run('read_file', { path: 'text' });
    expect(nul.text).toContain('91\t␀xx');
    expect(nul.text).toContain('NUL characters are shown as ␀');
    expect(nul.text).not.toContain('\0');
  });
});

verifies('READ-05', 'a whole picture is a picture, whatever its name', () =>
  withFiles({ 'a.txt': PIXEL }, async (tools) => {
    const { content } = await tools.run('read_file', { path: 'a.txt' });
    expect(content).toEqual([
      { type: 'text', text: expect.stringContaining('image/png') },
      { type: 'image', mimeType: 'image/png', data: PIXEL.toString('base64') },
    ]);
  }),
);

verifies('READ-06', 'each odd request has a message of its own', () =>
  withFiles({ f: 'a\nb\nc\n', empty: '', 'README.md': 'x' }, async (tools, root) => {
    await mkdir(join(root, 'folder'));
    const says = async (input: object) => (await tools.run('read_file', input)).text;
    const said = [
      await says({ path: 'f', offset: 4 }),
      await says({ path: 'f', limit: 0 }),
      await says({ path: 'f', offset: -1 }),
      await says({ path: 'f', offset: 0 }),
      await says({ path: 'empty' }),
      await says({ path: 'folder' }),
      await says({ path: 'READMEE.md' }),
      await says({ path: 'no/such/f' }),
      await says({ path: 'f/below' }),
      await says({ path: 'f', offset: 'two' }),
    ];
    for (const [index, part] of [
      'f has 3 lines; offset 4 is past its end',
      'limit: 0 lines would show nothing',
      'offset: -1 is negative',
      'counted from 1',
      'empty is empty (0 bytes)',
      'glob_files',
      'Did you mean README.md?',
      'its folder does not exist',
      'f is a file, not a folder',
      'offset',
    ].entries()) {
      expect(said[index]).toContain(part);
    }
    expect(new Set(said).size).toBe(said.length);
    expect(await says({ path: 'f', offset: '2' })).toContain('2\tb');
  }),
);

verifies('READ-07', 'full, unchanged, and full again when the first result is gone', () =>
  withFiles({ f: lines(5) }, async (tools, root) => {
    const read = (range: object = {}) => tools.run('read_file', { path: 'f', ...range });
    const { callId, text } = await read();
    expect((await read()).text).toMatch(new RegExp(`has not changed.*${callId}`));
    expect((await read({ offset: 2 })).text).toContain('2\tline 2');
    tools.context.files.hide([callId]);
    expect((await read()).text).toBe(text);
    expect((await read()).text).toContain('has not changed');
    await utimes(join(root, 'f'), 1, 1);
    expect((await read()).text).toBe(text);
    await writeFile(join(root, 'f'), lines(6));
    expect((await read()).text).toContain('of 6');
    const subagent = createToolRunner([readFile], { root, files: createReadState() });
    expect((await subagent.run('read_file', { path: 'f' })).text).toContain('6\tline 6');
  }),
);

verifies('READ-07', 'a read after an own edit is full', () =>
  withFiles({ f: 'a\nb\n' }, async (tools) => {
    await tools.run('read_file', { path: 'f' });
    await tools.run('file_edit', { path: 'f', old_string: 'a', new_string: 'c' });
    expect((await tools.run('read_file', { path: 'f' })).text).toContain('1\tc');
  }),
);

verifies('READ-10', 'marks are not text and only \\n and \\r\\n end lines', async () => {
  expect(await readOf('\ufeffkey: v\n')).toBe('1\tkey: v\n[lines 1-1 of 1; encoding: utf-8 with byte order mark]');
  const wide = Buffer.from('\ufeffkey: v\nü漢\r\n', 'utf16le');
  expect(await readOf(wide)).toMatch(/^1\tkey: v\n2\tü漢\n\[lines 1-2 of 2; encoding: utf-16le, with byte order mark/);
  expect(await readOf(Buffer.from(wide).swap16())).toMatch(/^1\tkey: v\n2\tü漢\n\[lines 1-2 of 2; encoding: utf-16be/);
  expect(await readOf('a\rb\rc')).toMatch(/^1\ta\rb\rc\n\[lines 1-1 of 1/);
  expect(await readOf('a\u2028b\fc\u0085d\ne\n')).toMatch(/^1\ta\u2028b\fc\u0085d\n2\te\n\[lines 1-2 of 2/);
  expect(await readOf('a\r\nb\r\n')).toBe('1\ta\n2\tb\n[lines 1-2 of 2; line endings: \\r\\n]');
  expect(await readOf('a\nb')).toBe('1\ta\n2\tb\n[lines 1-2 of 2; no newline at the end of the file]');
  expect(await readOf(Buffer.from([0xef, 0xbb, 0xbf]))).toContain('empty but for a byte order mark');
});

verifies('read/encodings', 'legacy encodings are decoded and named', async () => {
  const samples: [string, string, RegExp][] = [
    ['shift_jis', 'こんにちは世界\nテストファイル\n', /Shift_JIS/],
    ['gbk', '这是一个中文文本文件，用来测试编辑工具。\n设置文件已经被读取，北京是首都。\n', /GB18030/],
    ['euc-jp', '日本語のテキストファイルを編集する。東京タワーは高い。\n', /EUC-JP/],
    ['latin1', '// café note\nMüller, señor\n', /windows-1252/],
    ['win1251', 'Привет, мир! Это файл настроек программы.\nЗдесь можно изменить ключи.\n', /windows-1251/],
    ['gbk', '中文测试\n', /GB18030 \(a guess\)/],
  ];
  for (const [name, text, shown] of samples) {
    const said = await readOf(iconv.encode(text, name));
    expect(said).toContain(`1\t${text.split('\n')[0]}`);
    expect(said).toMatch(shown);
  }
  const spoilt = Buffer.concat([
    Buffer.from('größe, weiß, süß, Öl, Äpfel, Übermut, schön\n'),
    Buffer.from([0xff, 0x41]),
  ]);
  expect(await readOf(spoilt)).toMatch(/1\tgröße.*\n2\t\ufffdA\n.*not valid UTF-8 everywhere/);
});

verifies('STORE-03', 'a stored output is read in pages and not stored again', () =>
  inTempFolder(async (root) => {
    const outputs = createMemoryOutputs(new Map([['outputs/call-9.txt', Buffer.from(lines(12_000))]]));
    const tools = createToolRunner([readFile], { root, outputs });
    const first = await tools.run('read_file', { path: 'outputs/call-9.txt' });
    expect(first.text).toContain('[lines 1-2000 of 12000; continue with offset=2001]');
    expect(first.text).not.toContain('persisted-output');
    expect(first.stored).toBeUndefined();
    const next = await tools.run('read_file', { path: 'outputs/call-9.txt', offset: 11_999 });
    expect(next.text).toContain('12000\tline 12000');
    expect((await tools.run('read_file', { path: 'outputs/none.txt' })).error?.code).toBe('failed');
  }),
);

test('paths outside of the roots and other names of the tool and its input', () =>
  withFiles({ f: 'text\n' }, async (tools) => {
    expect((await tools.run('read_file', { path: '/etc/passwd' })).error?.code).toBe('denied');
    expect((await tools.run('file_read', { path: 'f' })).text).toContain('1\ttext');
  }));
