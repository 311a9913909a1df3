import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { globbed, grepped, withTree } from '../../../test/search-tree.ts';
import { verifies } from '../../../test/verifies.ts';

verifies('GREP-01', 'patterns, paths and globs that begin with a dash are what they are', () =>
  withTree(
    { '-dir/a.txt': '-77 --pdf-engine -e -> -- -f/etc/passwd --files --pre=cmd', '-x': 'nothing' },
    async (tools) => {
      for (const pattern of ['-77', '--pdf-engine', '-e', '->', '--', '-f/etc/passwd', '--files', '--pre=cmd']) {
        for (const literal of [true, false]) {
          const found = await tools.run('grep_files', { pattern, literal, path: '-dir' });
          expect(found.text).toContain('-dir/a.txt:1:');
        }
      }
      expect((await tools.run('grep_files', { pattern: 'nothing', glob: '-x' })).text).toContain('-x:1:nothing');
      expect((await globbed(tools, { pattern: '*', path: '-dir' })).files).toEqual(['-dir/a.txt']);
    },
  ),
);

verifies('GREP-02', 'a long line is cut around its match, and many files stay bounded and counted', () =>
  withTree(
    { 'min.js': `${'a'.repeat(1_000_000)}needle${'é'.repeat(500_000)}\nplain needle\n` },
    async (tools, root) => {
      for (let i = 0; i < 10_000; i++) {
        if (i % 100 === 0) mkdirSync(join(root, `d${i / 100}`));
        writeFileSync(join(root, `d${Math.floor(i / 100)}/n${i}.txt`), `one needle ${i}\n`);
      }
      const found = await tools.run('grep_files', { pattern: 'needle', path: 'min.js' });
      expect(found.text).toContain('needleé');
      expect(found.text.length).toBeLessThan(1_500);
      expect(found.text).toContain('characters');
      const all = await tools.run('grep_files', { pattern: 'needle' });
      expect(all.text.length).toBeLessThan(40_000);
      const files = (await tools.run('grep_files', { pattern: 'needle', output_mode: 'files' })).data as {
        count: number;
      };
      expect(files.count).toBe(10_001);
    },
  ),
);

verifies('GREP-05', 'patterns that would stop a backtracking engine end at once', () =>
  withTree({ 'a.txt': `${'a'.repeat(40)}!\n${'x'.repeat(50)}\n` }, async (tools) => {
    const began = performance.now();
    expect((await tools.run('grep_files', { pattern: '(a+)+$' })).text).toBe('No matches.');
    expect((await tools.run('grep_files', { pattern: '(x|x)*y' })).text).toBe('No matches.');
    expect(performance.now() - began).toBeLessThan(5_000);
  }),
);

verifies('search/grep', 'context, look-around, several lines, case and plain text', () =>
  withTree({ 'a.txt': 'one\ntwo\nthree\nFOUR (x)\nfive\n' }, async (tools) => {
    expect((await tools.run('grep_files', { pattern: 'three', context: 1 })).text).toBe(
      'a.txt-2-two\na.txt:3:three\na.txt-4-FOUR (x)',
    );
    expect((await tools.run('grep_files', { pattern: 't(?=wo)' })).text).toBe('a.txt:2:two');
    expect((await tools.run('grep_files', { pattern: 'two.three', multiline: true })).text).toBe(
      'a.txt:2:two\na.txt:3:three',
    );
    expect((await tools.run('grep_files', { pattern: 'four', case_insensitive: true })).text).toBe('a.txt:4:FOUR (x)');
    expect((await tools.run('grep_files', { pattern: '(x)', literal: true })).text).toBe('a.txt:4:FOUR (x)');
    const bad = await tools.run('grep_files', { pattern: '(' });
    expect(bad.error?.code).toBe('invalid_input');
    expect(bad.text).toContain('literal');
    expect((await tools.run('grep_files', { pattern: 'x', type: 'nosuch' })).text).toContain('type:');
  }),
);

verifies('search/grep', 'FIFOs, binary files and other encodings are no trap', () =>
  withTree({ 'a.txt': 'needle\n' }, async (tools, root) => {
    execFileSync('mkfifo', [join(root, 'p')]);
    await writeFile(join(root, 'b.bin'), Buffer.concat([Buffer.from('needle'), Buffer.alloc(2_000)]));
    await writeFile(
      join(root, 'w.txt'),
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('needle wide\n', 'utf16le')]),
    );
    const found = await tools.run('grep_files', { pattern: 'needle' });
    expect(found.text).toContain('a.txt:1:needle');
    expect(found.text).toContain('w.txt:1:needle wide');
    expect(found.text).toContain('b.bin');
    expect((await tools.run('grep_files', { pattern: 'x', path: 'p' })).text).toContain('fifo');
  }),
);

verifies('GREP-01', 'globs hold names with pattern signs, leave out, and are meant from either folder', () =>
  withTree(
    {
      'src/[id].tsx': 'needle',
      'src/a.ts': 'needle',
      'src/a.test.ts': 'needle',
      'src/.h.ts': 'needle',
      '![x]': 'needle',
    },
    async (tools) => {
      const files = async (input: object) =>
        (await grepped(tools, { pattern: 'needle', output_mode: 'files', ...input })).split('\n');
      expect(await files({ glob: '[id].tsx' })).toEqual(['src/[id].tsx']);
      expect(await files({ glob: '*.{ts,js}' })).toEqual(['src/a.test.ts', 'src/a.ts']);
      expect(await files({ glob: '!*.ts' })).toEqual(['![x]', 'src/[id].tsx']);
      expect(await files({ glob: '!src' })).toEqual(['![x]']);
      expect(await files({ glob: '!src/[id].tsx' })).toEqual(['![x]', 'src/a.test.ts', 'src/a.ts']);
      expect(await files({ glob: '\\![[]x]' })).toEqual(['![x]']);
      expect(await files({ glob: '[' })).toEqual(['No matches.']);
      expect(await files({ path: 'src', glob: 'src/*.ts' })).toEqual(['src/a.test.ts', 'src/a.ts']);
      expect(await files({ type: 'ts' })).toEqual(['src/[id].tsx', 'src/a.test.ts', 'src/a.ts']);
      expect(await files({ type: 'ts', path: 'src/.h.ts' })).toEqual(['src/.h.ts']);
      expect(await files({ type: 'ts', hidden: true })).toContain('src/.h.ts');
    },
  ),
);

verifies('GREP-02', 'a line too long to hold is told, not lost', () =>
  withTree({ 'big.txt': `needle${'x'.repeat(17 * 1_048_576)}`, 'small.txt': 'needle' }, async (tools) => {
    expect(await grepped(tools, { pattern: 'needle' })).toBe(
      'big.txt: a matching line of more than 16 MB, too long to show\nsmall.txt:1:needle',
    );
  }),
);

verifies('GREP-05', 'an engine that gives up says so, and its limit is not taken for a bad pattern', () =>
  withTree({ 'a.txt': `${'a'.repeat(60)}!\n` }, async (tools) => {
    expect(await grepped(tools, { pattern: '(?=a)(a+)+$' })).toMatch(/^No matches\.\n\[1 place .*match limit/);
    expect(await grepped(tools, { pattern: '(?=x' })).toMatch(/invalid_input.*missing closing parenthesis/);
  }),
);

verifies('search/grep', 'line ends: those of Windows, in names, and in patterns', () =>
  withTree({ 'crlf.txt': 'one;\r\ntwo\r\n', 'a\nb.txt': 'needle\n' }, async (tools) => {
    expect(await grepped(tools, { pattern: ';$' })).toBe('crlf.txt:1:one;');
    expect(await grepped(tools, { pattern: 'needle', output_mode: 'count' })).toBe(
      'a\nb.txt: 1\n[matching lines: 1, in files: 1]',
    );
    for (const pattern of ['one;\\r\\ntwo', ';\r\nt']) {
      expect(await grepped(tools, { pattern })).toBe('crlf.txt:1:one;\ncrlf.txt:2:two');
    }
    expect(await grepped(tools, { pattern: ';\r\nt', literal: true })).toContain('crlf.txt:2:two');
  }),
);

verifies('GREP-02', 'matches that touch are lines of their own, each counted and cut by itself', () =>
  withTree(
    { 'm.txt': `${Array.from({ length: 60 }, (_, i) => `foo ${i} ${'y'.repeat(20)}`).join('\r\n')}\r\n` },
    async (tools) => {
      const found = await tools.run('grep_files', { pattern: 'foo.*\n' });
      expect(found.text.split('\n')).toHaveLength(60);
      expect(found.text).toContain(`m.txt:60:foo 59 ${'y'.repeat(20)}`);
      const cut = await tools.run('grep_files', { pattern: 'foo.*\n', limit: 7 });
      expect(cut.text).toContain('m.txt:7:foo 6');
      expect(cut.text).not.toContain('m.txt:8:');
      expect(cut.text).toContain('[the first 7 matching lines; there are more');
    },
  ),
);

verifies('GREP-02', 'lines around matches, dense scripts and long lists stay bounded, and say so truly', () =>
  withTree(
    {
      'around.txt': Array.from({ length: 400 }, (_, i) => (i % 100 === 50 ? 'NEEDLE' : 'q').padEnd(395, 'z')).join(
        '\n',
      ),
      'dense.txt': `${'漢字'.repeat(190)}\n`.repeat(150),
      'pair.txt': 'a\nhit 1\nb\nc\nd\nhit 2\n',
    },
    async (tools, root) => {
      const around = await tools.run('grep_files', { pattern: 'NEEDLE', path: 'around.txt', context: 100 });
      expect(around.text).toContain('around.txt:51:NEEDLE');
      expect(around.text.length).toBeLessThan(32_000);
      const dense = await tools.run('grep_files', { pattern: '漢', path: 'dense.txt' });
      const { estimateTokenCount } = await import('tokenx');
      expect(estimateTokenCount(dense.text)).toBeLessThan(12_000);
      expect(dense.text).toMatch(/\[the first \d+ matching lines, as many as fit; there are more: narrow .* path\]$/);
      const one = await tools.run('grep_files', { pattern: 'hit', path: 'pair.txt', context: 1, limit: 1 });
      expect(one.text).toMatch(/^pair.txt-1-a\npair.txt:2:hit 1\npair.txt-3-b\n\[the first 1 /);
      const folder = join(root, 'n'.repeat(100));
      await mkdir(folder);
      for (let i = 0; i < 600; i++) await writeFile(join(folder, `${i}.txt`), 'x\n');
      for (const [name, input] of [
        ['glob_files', { pattern: '**/*.txt' }],
        ['grep_files', { pattern: 'x', output_mode: 'files' }],
        ['grep_files', { pattern: 'x', output_mode: 'count' }],
      ] as const) {
        const listed = await tools.run(name, { ...input, limit: 5_000 });
        expect(listed.text.length).toBeLessThan(31_000);
        expect(listed.text).toMatch(/\[\d+ of 60\d files; no more fit, so narrow the pattern or path\]$/);
        expect((listed.data as { truncated: boolean }).truncated).toBe(true);
      }
    },
  ),
);

verifies('search/grep', 'the names and modes of other search tools are taken', () =>
  withTree({ 'a.txt': 'one\nTwo\nthree\n' }, async (tools) => {
    const run = async (name: string, input: object) => (await tools.run(name, input)).text;
    expect(await run('Grep', { pattern: 'two', '-i': true, '-A': 1, output_mode: 'content', head_limit: 3 })).toBe(
      'a.txt:2:Two\na.txt-3-three',
    );
    expect(await run('Grep', { pattern: 'two', '-i': true, output_mode: 'files_with_matches' })).toBe('a.txt');
    expect(await run('grep', { pattern: 'one' })).toBe('a.txt:1:one');
    expect(await run('Glob', { pattern: '*.txt' })).toBe('a.txt');
  }),
);
