import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { createMemoryOutputs } from '../../testing/memory-outputs.ts';
import { inTempFolder } from '../../testing/temp-folder.ts';
import { createToolRunner, type ToolRunner } from '../../testing/tool-runner.ts';
import { globFiles, grepFiles, readFile, runBash } from '../index.ts';

const env = { PATH: process.env['PATH'] ?? '' };

const withTree = (files: Record<string, string>, body: (tools: ToolRunner, root: string) => Promise<void>) =>
  inTempFolder(async (folder) => {
    const root = join(folder, 'root');
    await mkdir(root);
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), content);
    }
    const tools = createToolRunner([grepFiles, globFiles, readFile], { root, env, ripgrep: rgPath });
    await body(tools, root);
    await tools.context.dispose();
  });

const glob = async (tools: ToolRunner, input: object) =>
  (await tools.run('glob_files', input)).data as { files: string[]; count: number; truncated: boolean };

verifies('GLOB-01', 'names with pattern signs are found by pattern, by exact path and as the base', () =>
  withTree(
    {
      'src/app/[id]/page.tsx': '',
      'src/(auth)/a.ts': '',
      'src/{x}/b.ts': '',
      'a+b!.txt': '',
      '-dash.txt': '',
      'sp ace.txt': 'x',
    },
    async (tools) => {
      expect((await glob(tools, { pattern: 'src/app/[id]/*' })).files).toEqual(['src/app/[id]/page.tsx']);
      expect((await glob(tools, { pattern: 'src/(auth)/**' })).files).toEqual(['src/(auth)/a.ts']);
      expect((await glob(tools, { pattern: '*', path: 'src/app/[id]' })).files).toEqual(['src/app/[id]/page.tsx']);
      for (const path of ['src/{x}/b.ts', 'a+b!.txt', '-dash.txt', 'sp ace.txt']) {
        expect((await glob(tools, { pattern: path })).files).toEqual([path]);
        expect((await tools.run('read_file', { path })).error).toBeUndefined();
      }
    },
  ),
);

const IGNORING = {
  '.gitignore': 'dist/\n*.log\n!keep.log\n/temp/\n',
  'pkg/.gitignore': 'gen/\n',
  'dist/a.js': 'needle',
  'x.log': 'needle',
  'keep.log': 'needle',
  'temp/a': 'needle',
  'pkg/temp/a': 'needle',
  'pkg/gen/b': 'needle',
  '.git/config': 'needle',
  '.env': 'needle',
};

verifies('GLOB-02', 'ignored files are left out, the same in both tools, unless they are named', () =>
  withTree(IGNORING, async (tools) => {
    expect((await glob(tools, { pattern: '**/*' })).files).toEqual(['keep.log', 'pkg/temp/a']);
    expect(
      ((await tools.run('grep_files', { pattern: 'needle', output_mode: 'files' })).data as { files: string[] }).files,
    ).toEqual(['keep.log', 'pkg/temp/a']);
    const dist = await tools.run('glob_files', { pattern: 'dist/**' });
    expect(dist.text).toBe('dist/a.js');
    const only = await tools.run('glob_files', { pattern: '*/a.js' });
    expect(only.text).toContain('dist/a.js');
    expect(only.text).toContain('ignore files');
    expect((await glob(tools, { pattern: 'x.log' })).files).toEqual(['x.log']);
    expect((await glob(tools, { pattern: 'keep.log' })).files).toEqual(['keep.log']);
    expect((await tools.run('grep_files', { pattern: 'needle', path: 'x.log' })).text).toContain('x.log:1:needle');
    expect((await glob(tools, { pattern: '.env' })).files).toEqual(['.env']);
  }),
);

verifies('GLOB-02', 'a glob that lets files in lets no ignored ones in', () =>
  withTree({ ...IGNORING, 'src/a.log': 'needle', 'src/b.ts': 'needle' }, async (tools) => {
    const files = async (input: object) =>
      (
        (await tools.run('grep_files', { pattern: 'needle', output_mode: 'files', ...input })).data as {
          files: string[];
        }
      ).files;
    expect(await files({ glob: '*.log' })).toEqual(['keep.log']);
    expect(await files({ glob: 'src/**/*.{ts,log}' })).toEqual(['src/b.ts']);
    expect(await files({ glob: '*.ts' })).toEqual(['src/b.ts']);
    expect(await files({ glob: '!*.ts' })).toEqual(['keep.log', 'pkg/temp/a']);
    expect(await files({ type: 'ts' })).toEqual(['src/b.ts']);
  }),
);

verifies('GLOB-04', 'links are not followed, deep and closed folders do no harm, each file comes once', () =>
  withTree({ 'a/f.txt': '', 'closed/g.txt': '' }, async (tools, root) => {
    await symlink('.', join(root, 'loop'));
    await symlink('../..', join(root, 'a/up'));
    await symlink('nowhere', join(root, 'dang'));
    await symlink(dirname(root), join(root, 'out'));
    await writeFile(join(dirname(root), 'outside.txt'), '');
    await mkdir(join(root, 'd/'.repeat(200)), { recursive: true });
    await writeFile(join(root, 'd/'.repeat(200), 'deep.txt'), '');
    await chmod(join(root, 'closed'), 0);
    const began = performance.now();
    const { files } = await glob(tools, { pattern: '**/*.txt' });
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(files.filter((path) => !path.startsWith('closed'))).toEqual(['a/f.txt', `${'d/'.repeat(200)}deep.txt`]);
    await chmod(join(root, 'closed'), 0o755);
  }),
);

verifies('search/lists', 'order is stable, a cut list says so, nothing found is an answer', () =>
  withTree(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}.txt`, 'x\nx\n'])), async (tools) => {
    const all = await glob(tools, { pattern: '*.txt' });
    expect(all.files).toEqual([...all.files].sort());
    const cut = await tools.run('glob_files', { pattern: '*.txt', limit: 7 });
    expect(cut.text).toContain('[7 of 30 files; ');
    const none = await tools.run('glob_files', { pattern: '*.md' });
    expect(none.error).toBeUndefined();
    expect(none.text).toContain('No file');
    const grep = await tools.run('grep_files', { pattern: 'x', limit: 5 });
    expect(grep.text).toContain('[the first 5 matching lines; there are more');
    expect((await tools.run('grep_files', { pattern: 'y' })).text).toBe('No matches.');
    const counted = await tools.run('grep_files', { pattern: 'x', output_mode: 'count' });
    expect(counted.text).toContain('[60 matching lines in 30 files]');
  }),
);

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
      expect((await glob(tools, { pattern: '*', path: '-dir' })).files).toEqual(['-dir/a.txt']);
    },
  ),
);

verifies('GREP-02', 'a long line is cut around its match, and many files stay bounded and counted', () =>
  withTree(
    { 'min.js': `${'a'.repeat(1_000_000)}needle${'é'.repeat(500_000)}\nplain needle\n` },
    async (tools, root) => {
      for (let i = 0; i < 300; i++) await writeFile(join(root, `n${i}.txt`), `one needle ${i}\n`);
      const found = await tools.run('grep_files', { pattern: 'needle', path: 'min.js' });
      expect(found.text).toContain('needleé');
      expect(found.text.length).toBeLessThan(1_500);
      expect(found.text).toContain('characters');
      const all = await tools.run('grep_files', { pattern: 'needle' });
      expect(all.text.length).toBeLessThan(40_000);
      const files = (await tools.run('grep_files', { pattern: 'needle', output_mode: 'files' })).data as {
        count: number;
      };
      expect(files.count).toBe(301);
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

verifies('search/roots', 'bases outside of the roots are refused, and stored outputs can be searched', () =>
  withTree({ 'a.txt': 'x' }, async (tools, root) => {
    await mkdir(`${root}-evil`);
    await writeFile(`${root}-evil/s.txt`, 'x');
    for (const path of [`${root}-evil`, '../root-evil', '/']) {
      expect((await tools.run('grep_files', { pattern: 'x', path })).error?.code).toBe('denied');
      expect((await tools.run('glob_files', { pattern: '*', path })).error?.code).toBe('denied');
    }
    expect((await tools.run('glob_files', { pattern: `${root}/*.txt` })).text).toBe('a.txt');
    expect((await tools.run('glob_files', { pattern: '/etc/*' })).error?.code).toBe('invalid_input');
    const outputs = { ...createMemoryOutputs(), hostPath: async () => join(`${root}-evil`, 's.txt') };
    const others = createToolRunner([grepFiles], { root, env, ripgrep: rgPath, outputs });
    expect((await others.run('grep_files', { pattern: 'x', path: 'outputs/c1.txt' })).text).toBe('outputs/c1.txt:1:x');
    await others.context.dispose();
  }),
);

const grepped = async (tools: ToolRunner, input: object) => (await tools.run('grep_files', input)).text;

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
      'a\nb.txt: 1\n[1 matching lines in 1 files]',
    );
    for (const pattern of ['one;\\r\\ntwo', ';\r\nt']) {
      expect(await grepped(tools, { pattern })).toBe('crlf.txt:1:one;\ncrlf.txt:2:two');
    }
    expect(await grepped(tools, { pattern: ';\r\nt', literal: true })).toContain('crlf.txt:2:two');
  }),
);

verifies('search/glob', 'a folder and a way out are told apart from nothing found', () =>
  withTree({ 'src/a.ts': '' }, async (tools) => {
    expect((await tools.run('glob_files', { pattern: 'src' })).text).toContain('src is a folder');
    for (const pattern of ['../*', 'src/../src/a.ts']) {
      expect((await tools.run('glob_files', { pattern })).error?.code).toBe('invalid_input');
    }
    expect((await glob(tools, { pattern: 'src/' })).files).toEqual(['src/a.ts']);
  }),
);

verifies('PATH-01', 'as the base of searches and commands: a sibling is outside, the root itself inside', () =>
  withTree({ 'a.txt': 'needle' }, async (_tools, root) => {
    await mkdir(`${root}-evil`);
    await writeFile(`${root}-evil/s.txt`, 'needle');
    const tools = createToolRunner([grepFiles, globFiles, runBash], { root, env, ripgrep: rgPath });
    const text = async (name: string, input: object) => (await tools.run(name, input)).text;
    for (const path of [`${root}-evil`, '../root-evil', `${root}/../root-evil`]) {
      expect(await text('grep_files', { pattern: 'needle', path })).toContain('denied');
      expect(await text('glob_files', { pattern: '*', path })).toContain('denied');
      expect(await text('run_bash', { command: 'cat s.txt', cwd: path })).toContain('denied');
    }
    for (const path of [root, `${root}/`, '.']) {
      expect(await text('grep_files', { pattern: 'needle', path })).toBe('a.txt:1:needle');
      expect(await text('glob_files', { pattern: '*', path })).toBe('a.txt');
      expect(await text('run_bash', { command: 'cat a.txt', cwd: path })).toBe('needle');
    }
    await tools.context.dispose();
    const whole = createToolRunner([grepFiles, globFiles], {
      root,
      env,
      ripgrep: rgPath,
      roots: [{ path: '/', access: 'read', label: 'added' }],
    });
    const found = await whole.run('glob_files', { pattern: `${root}-evil/*.txt`, path: '/' });
    expect(found.text).toBe(`${root}-evil/s.txt`);
    expect((await whole.run('grep_files', { pattern: 'needle', path: `${root}-evil` })).text).toBe(
      `${root}-evil/s.txt:1:needle`,
    );
    await whole.context.dispose();
  }),
);
