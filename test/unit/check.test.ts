import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { check } from '../../scripts/check.ts';

const made: string[] = [];
afterEach(async () => {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true });
});

/** Findings on a small made tree, one line each. */
async function findingsOn(files: Record<string, string>): Promise<string[]> {
  const root = await mkdtemp(join(tmpdir(), 'toolwright-check-'));
  made.push(root);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(join(root, dirname(file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
  return check(root).map(({ kind, file, line, rule, message }) => `${file}:${line} ${kind} [${rule}] ${message}`);
}

const lines = (count: number) => 'export {};\n'.repeat(count);

const clean = {
  'src/core/index.ts': "export * from './tool.ts';\n",
  'src/core/tool.ts': 'export interface Tool {}\n',
  'src/wire/index.ts': "import { z } from 'zod';\nimport type { Tool } from '../core/index.ts';\n",
  'src/tools/index.ts': "export * from './read-file/read-file.ts';\n",
  'src/tools/read-file/read-file.ts':
    "import 'node:path';\nimport '../../core/index.ts';\nimport '../../wire/index.ts';\n",
  'src/runtime/index.ts': "import '../tools/index.ts';\nexport const lazy = () => import('../wire/index.ts');\n",
  'src/testing/index.ts': "import '../runtime/index.ts';\nimport '../tools/index.ts';\n",
  'src/cli/index.ts': "import '../runtime/index.ts';\nimport '../core/index.ts';\n",
  'src/progress.ts': "import '../src/tools/index.ts';\n",
  'src/tools/any.test.ts': "import '../cli/index.ts';\nimport '../core/tool.ts';\n",
};

test('a clean tree has no finding', async () => {
  expect(await findingsOn(clean)).toEqual([]);
});

test.each([
  [
    'core takes a node module',
    'src/core/a.ts',
    "\nimport 'node:fs';\n",
    'src/core/a.ts:2 breach [direction] core imports',
  ],
  [
    'core takes a package by type',
    'src/core/a.ts',
    "type Z = import('zod').ZodType;\n",
    'src/core/a.ts:1 breach [direction]',
  ],
  ['core takes another room', 'src/core/a.ts', "import '../wire/index.ts';\n", 'core must not import wire'],
  ['floor 0 takes a node module', 'src/wire/a.ts', "import 'node:fs';\n", 'floor 0 must not take "node:fs"'],
  ['floor 0 takes a room above', 'src/wire/a.ts', "import '../tools/index.ts';\n", 'wire must not import tools'],
  ['a floor-1 room takes another', 'src/agent/a.ts', "import '../tools/index.ts';\n", 'agent must not import tools'],
  ['… by re-export', 'src/agent/a.ts', "export * from '../tools/index.ts';\n", 'agent must not import tools'],
  ['… by type', 'src/agent/a.ts', "import type {} from '../tools/index.ts';\n", 'agent must not import tools'],
  ['… lazily', 'src/agent/a.ts', "await import('../tools/index.ts');\n", 'agent must not import tools'],
  [
    'a floor-1 room takes the runtime',
    'src/agent/a.ts',
    "import '../runtime/index.ts';\n",
    'agent must not import runtime',
  ],
  [
    'the runtime takes testing',
    'src/runtime/a.ts',
    "import '../testing/index.ts';\n",
    'runtime must not import testing',
  ],
  ['the runtime takes a door', 'src/runtime/a.ts', "import '../cli/index.ts';\n", 'runtime must not import cli'],
  ['a door takes a floor-1 room', 'src/cli/a.ts', "import '../tools/index.ts';\n", 'cli must not import tools'],
  [
    'a room goes past the door',
    'src/agent/a.ts',
    "import '../core/tool.ts';\n",
    'the only door of core is src/core/index.ts',
  ],
  [
    'a file takes its own index',
    'src/tools/a.ts',
    "import './index.ts';\n",
    'a file imports the index of its own room',
  ],
  [
    'a room takes the package by name',
    'src/agent/a.ts',
    "import 'toolwright/tools';\n",
    '[door] rooms import each other by path',
  ],
  [
    'a room reaches out of src',
    'src/agent/a.ts',
    "import '../../test/x.ts';\n",
    '[direction] "test/x.ts" lies outside src',
  ],
  [
    'a room without a floor',
    'src/plugins/a.ts',
    lines(1),
    'src/plugins/a.ts:1 breach [rooms] plugins stands on no floor',
  ],
  ['a file above the hard limit', 'test/a.ts', lines(401), 'test/a.ts:401 breach [size] 401 lines, at most 400'],
  ['a file above the soft limit', 'bench/a.ts', lines(201), 'bench/a.ts:201 warning [size] 201 lines'],
  ['a room of long files', 'src/agent/a.ts', lines(101), 'src/agent:1 breach [size] median 101 lines'],
  ['a name that says nothing', 'src/agent/path-utils.ts', lines(1), '[names] "path-utils" says nothing'],
  ['a folder that says nothing', 'src/agent/common/a.ts', lines(1), '[names] "common" says nothing'],
  ['a manager', 'src/agent/manager2.ts', lines(1), '[names] "manager2" says nothing'],
  ['a name that is not kebab-case', 'src/agent/readFile.ts', lines(1), '[names] "readFile" is not kebab-case'],
])('a breach is found: %s', async (_title, file, text, expected) => {
  const found = await findingsOn({ ...clean, [file]: text });
  expect(found.filter((finding) => finding.includes(expected))).toHaveLength(1);
});

test('a circle is found, also one of types alone, and told once', async () => {
  const found = await findingsOn({
    'src/agent/a.ts': "import './b.ts';\n",
    'src/agent/b.ts': "\nimport type {} from './c.ts';\n",
    'src/agent/c.ts': "export type A = import('./a.ts').A;\n",
  });
  expect(found).toEqual([
    'src/agent/c.ts:1 breach [cycle] src/agent/a.ts -> src/agent/b.ts -> src/agent/c.ts -> src/agent/a.ts',
  ]);
});

test('core has a budget of lines, and the house one of rooms', async () => {
  const core = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`src/core/a${i}.ts`, lines(100)]));
  expect(await findingsOn(core)).toEqual(['src/core:1 breach [size] 1600 lines, at most 1500']);
  const rooms = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`src/room${i}/a.ts`, lines(1)]));
  expect(await findingsOn(rooms)).toContain('src:1 breach [rooms] 21 rooms, at most 20');
});

test('what only looks like an import is none', async () => {
  expect(await findingsOn({ 'src/core/a.ts': "// import 'node:fs'\nexport const text = \"import 'x'\";\n" })).toEqual(
    [],
  );
});
