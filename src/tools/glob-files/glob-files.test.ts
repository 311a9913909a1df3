import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { globbed, withTree } from '../../../test/search-tree.ts';
import { verifies } from '../../../test/verifies.ts';

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
      expect((await globbed(tools, { pattern: 'src/app/[id]/*' })).files).toEqual(['src/app/[id]/page.tsx']);
      expect((await globbed(tools, { pattern: 'src/(auth)/**' })).files).toEqual(['src/(auth)/a.ts']);
      expect((await globbed(tools, { pattern: '*', path: 'src/app/[id]' })).files).toEqual(['src/app/[id]/page.tsx']);
      for (const path of ['src/{x}/b.ts', 'a+b!.txt', '-dash.txt', 'sp ace.txt']) {
        expect((await globbed(tools, { pattern: path })).files).toEqual([path]);
        expect((await tools.run('read_file', { path })).error).toBeUndefined();
      }
    },
  ),
);

verifies('GLOB-04', 'links are not followed, deep and closed folders do no harm, each file comes once', () =>
  withTree({ 'a/f.txt': '', 'closed/g.txt': '' }, async (tools, root) => {
    await symlink('.', join(root, 'loop'));
    await symlink('../..', join(root, 'a/up'));
    await symlink('nowhere', join(root, 'dang'));
    await symlink(dirname(root), join(root, 'out'));
    await writeFile(join(dirname(root), 'outside.txt'), '');
    await mkdir(join(root, 'd/'.repeat(300)), { recursive: true });
    await writeFile(join(root, 'd/'.repeat(300), 'deep.txt'), '');
    await chmod(join(root, 'closed'), 0);
    const began = performance.now();
    const { files } = await globbed(tools, { pattern: '**/*.txt' });
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(files.filter((path) => !path.startsWith('closed'))).toEqual(['a/f.txt', `${'d/'.repeat(300)}deep.txt`]);
    await chmod(join(root, 'closed'), 0o755);
  }),
);

verifies('search/glob', 'a folder and a way out are told apart from nothing found', () =>
  withTree({ 'src/a.ts': '' }, async (tools) => {
    expect((await tools.run('glob_files', { pattern: 'src' })).text).toContain('src is a folder');
    for (const pattern of ['../*', 'src/../src/a.ts']) {
      expect((await tools.run('glob_files', { pattern })).error?.code).toBe('invalid_input');
    }
    expect((await globbed(tools, { pattern: 'src/' })).files).toEqual(['src/a.ts']);
  }),
);
