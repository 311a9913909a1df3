import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { collectTools, loadTools } from './index.ts';

const tool = (name: string) => ({ name, description: name, input: { type: 'object' }, run: () => name });

async function inFolder(files: Record<string, string>, body: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'toolwright-load-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(dir, name)), { recursive: true });
      await writeFile(join(dir, name), text);
    }
    await body(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}

const source = (name: string) =>
  `export const ${name} = { name: '${name}', description: 'd', input: { type: 'object' }, run: () => '${name}' };\n`;

verifies('registry/collect', 'by shape, alone and in lists, each once', () => {
  const shared = Object.freeze(tool('shared'));
  const bare = Object.assign(Object.create(null), tool('bare'));
  class Fancy {
    name = 'fancy';
    description = 'd';
    input = {};
    run() {}
  }
  const module = {
    shared,
    default: shared,
    bare,
    list: [tool('one'), shared, null, 'text', [tool('too_deep')]],
    fancy: new Fancy(),
    helper: () => 1,
    half: { name: 'half', run: () => 1 },
    notRunnable: { ...tool('x'), run: 'text' },
    text: 'text',
    nothing: null,
  };
  expect(collectTools(module).map((each) => each.name)).toEqual(['shared', 'bare', 'one']);
  expect(collectTools({ default: { a: tool('a'), b: 1 } }).map((each) => each.name)).toEqual(['a']);
  for (const nothing of [undefined, null, 'text', 1]) expect(collectTools(nothing)).toEqual([]);
});

verifies('registry/load', 'files in order, folders by their index, bad ones told', () =>
  inFolder(
    {
      'b.mjs': source('b'),
      'a.js': `${source('a')}export default [a];`,
      'pack/index.mjs': source('packed'),
      'pack/other.mjs': source('unseen'),
      'deep/er/index.mjs': source('unseen'),
      'broken.mjs': 'export const x = ;',
      'throws.mjs': 'throw new Error("no key given");',
      'half.mjs': `${source('ok')}export const half = { name: 'half', run: () => 1 };`,
      'badname.mjs': source('y').replace("name: 'y'", "name: 'not a name'"),
      'helper.mjs': 'export const help = () => 1;',
      'a.test.mjs': source('unseen'),
      'types.d.ts': 'export {};',
      'notes.txt': 'x',
      'package.json': '{"type":"module"}',
    },
    async (dir) => {
      const { tools, diagnostics } = await loadTools(dir);
      expect(tools.map((each) => each.name)).toEqual(['a', 'b', 'ok', 'packed']);
      const told = Object.fromEntries(diagnostics.map(({ file, message }) => [relative(dir, file), message]));
      expect(Object.keys(told)).toEqual(['badname.mjs', 'broken.mjs', 'half.mjs', 'throws.mjs']);
      expect(told['throws.mjs']).toBe('no key given');
      expect(told['half.mjs']).toBe('the export half is no tool: it has no description, no input');
      expect(told['badname.mjs']).toContain('"name"');
    },
  ),
);

verifies('registry/load', 'the compiled file is taken where both are there', () =>
  inFolder({ 'a.ts': '', 'a.js': '', 'b.ts': '', 'pack/index.ts': '', 'pack/index.js': '' }, async (dir) => {
    const imported: string[] = [];
    const { tools, diagnostics } = await loadTools(dir, async (file) => {
      imported.push(relative(dir, file));
      if (file.endsWith('.ts')) throw new TypeError('Unknown file extension ".ts" for b.ts');
      return { tool: tool(basename(dirname(file)) === 'pack' ? 'packed' : 'a') };
    });
    expect(imported).toEqual(['a.js', 'b.ts', 'pack/index.js']);
    expect(tools.map((each) => each.name)).toEqual(['a', 'packed']);
    expect(diagnostics[0]?.message).toContain('compile the file to .js');
  }),
);

verifies('registry/load', 'a folder that is not there is an error', async () => {
  await expect(loadTools('/nowhere/at/all')).rejects.toMatchObject({ code: 'not_found' });
});
