import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { expect } from 'vitest';
import { env, globbed, grepped, withTree } from '../../../test/search-tree.ts';
import { verifies } from '../../../test/verifies.ts';
import type { Tool } from '../../core/index.ts';
import { createMemoryOutputs } from '../../testing/memory-outputs.ts';
import { createToolContext } from '../../testing/tool-context.ts';
import { createToolRunner } from '../../testing/tool-runner.ts';
import { globFiles, grepFiles, runBash } from '../index.ts';

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
    expect((await globbed(tools, { pattern: '**/*' })).files).toEqual(['keep.log', 'pkg/temp/a']);
    expect(
      ((await tools.run('grep_files', { pattern: 'needle', output_mode: 'files' })).data as { files: string[] }).files,
    ).toEqual(['keep.log', 'pkg/temp/a']);
    const dist = await tools.run('glob_files', { pattern: 'dist/**' });
    expect(dist.text).toBe('dist/a.js');
    const only = await tools.run('glob_files', { pattern: '*/a.js' });
    expect(only.text).toContain('dist/a.js');
    expect(only.text).toContain('ignore files');
    expect((await globbed(tools, { pattern: 'x.log' })).files).toEqual(['x.log']);
    expect((await globbed(tools, { pattern: 'keep.log' })).files).toEqual(['keep.log']);
    expect((await tools.run('grep_files', { pattern: 'needle', path: 'x.log' })).text).toContain('x.log:1:needle');
    expect((await globbed(tools, { pattern: '.env' })).files).toEqual(['.env']);
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

verifies('search/lists', 'order is stable, a cut list says so, nothing found is an answer', () =>
  withTree(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}.txt`, 'x\nx\n'])), async (tools) => {
    const all = await globbed(tools, { pattern: '*.txt' });
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
    expect(counted.text).toContain('[matching lines: 60, in files: 30]');
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

verifies('GLOB-02', 'ignore files above a repository say nothing about it', () =>
  withTree({ 'a.txt': 'needle', 'sub/b.txt': 'needle', 'sub/c.log': 'needle' }, async (tools, root) => {
    await writeFile(join(dirname(root), '.gitignore'), '*\n');
    await mkdir(join(root, '.git'));
    await writeFile(join(root, '.gitignore'), '*.log\n');
    expect((await globbed(tools, { pattern: '**' })).files).toEqual(['a.txt', 'sub/b.txt']);
    expect((await globbed(tools, { pattern: 'sub/*' })).files).toEqual(['sub/b.txt']);
    expect(await grepped(tools, { pattern: 'needle', path: 'sub' })).toBe('sub/b.txt:1:needle');
  }),
);

verifies('GLOB-02', 'a folder that is named is searched though all in it is ignored', () =>
  withTree({ '.gitignore': 'dist/**\nbuild/\n', 'dist/a.js': 'needle', 'build/b.js': 'needle' }, async (tools) => {
    expect((await globbed(tools, { pattern: 'dist/**' })).files).toEqual(['dist/a.js']);
    for (const output_mode of ['content', 'files', 'count']) {
      const found = await grepped(tools, { pattern: 'needle', path: 'dist', output_mode });
      expect(found).toMatch(/^dist\/a\.js/);
      expect(found).toContain('Ignore files leave out all');
    }
    expect(await grepped(tools, { pattern: 'needle', path: 'build' })).toBe('build/b.js:1:needle');
    expect(await grepped(tools, { pattern: 'needle' })).toMatch(/^build\/b\.js:1:needle\ndist\/a\.js:1:needle\n/);
    expect(await grepped(tools, { pattern: 'other' })).toBe('No matches.');
  }),
);

verifies('GLOB-04', 'a folder that cannot be read is noted, the others are listed', () =>
  withTree({ 'a.txt': 'needle' }, async (_tools, root) => {
    const ripgrep = join(dirname(root), 'rg');
    const script = `#!/bin/sh\necho 'rg: ./closed: Permission denied (os error 13)' >&2\n"${rgPath}" "$@"\nexit 2\n`;
    await writeFile(ripgrep, script, { mode: 0o755 });
    const tools = createToolRunner([grepFiles, globFiles], { root, env, ripgrep });
    const note = '[1 place could not be read, such as ./closed: Permission denied (os error 13)]';
    expect((await tools.run('glob_files', { pattern: '*.txt' })).text).toBe(`a.txt\n${note}`);
    expect(await grepped(tools, { pattern: 'needle' })).toBe(`a.txt:1:needle\n${note}`);
    expect(await grepped(tools, { pattern: 'other' })).toBe(`No matches.\n${note}`);
    await tools.context.dispose();
  }),
);

verifies('GREP-05', 'a search ends when it is cancelled, and says so when there is no search program', () =>
  withTree({ 'a.txt': 'x' }, async (_tools, root) => {
    const ripgrep = join(dirname(root), 'rg');
    await writeFile(ripgrep, '#!/bin/sh\nprintf "a.txt\\0"\nexec sleep 60\n', { mode: 0o755 });
    const slow = createToolContext({ root, env, ripgrep });
    for (const [tool, input] of [
      [grepFiles, { pattern: 'x' }],
      [globFiles, { pattern: '*' }],
    ] as const) {
      const cancel = new AbortController();
      const run = (tool as Tool).run(input, slow.forCall('c', cancel.signal));
      setTimeout(() => cancel.abort(new Error('enough')), 50);
      await expect(run).rejects.toThrow('enough');
    }
    await slow.dispose();
    const none = createToolRunner([grepFiles, globFiles], { root, env });
    expect((await none.run('grep_files', { pattern: '(a+)+$' })).error?.code).toBe('unavailable');
    expect((await none.run('glob_files', { pattern: '*' })).error?.code).toBe('unavailable');
    await none.context.dispose();
  }),
);
