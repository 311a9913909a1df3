import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { createRuntime } from '../../src/runtime/index.ts';
import { verifies } from '../verifies.ts';
import {
  commandsOf,
  type Fence,
  fencesOf,
  fits,
  inScratch,
  pageNames,
  programOf,
  readPage,
  repo,
  runCommand,
  runProgram,
  writeShown,
} from './docs-pages.ts';

const pages = new Map<string, readonly Fence[]>();
for (const page of await pageNames()) pages.set(page, await fencesOf(page));
const fences = [...pages.values()].flat();

/** A file that the page shows, written where its commands run. */
const isFile = ({ lang, note }: Fence) => ['json', 'yaml', 'js', 'md'].includes(lang) && note !== '';

/** Why nothing tries a block, or undefined when something does. */
function untried({ lang, note }: Fence): string | undefined {
  if (lang === 'text') return 'a picture';
  return /^not-run \((.{10,})\)$/.exec(note)?.[1];
}

function isTried(fence: Fence): boolean {
  if (fence.lang === 'ts') return fence.note === '';
  if (fence.lang === 'console') return fence.note === '' || fence.note === 'scratch';
  return isFile(fence);
}

verifies('docs/fences', 'every block of a page is tried, or says why not', () => {
  expect(fences.length).toBeGreaterThan(10);
  const open = fences.filter((fence) => !isTried(fence) && untried(fence) === undefined);
  expect(open.map(({ page, line, lang, note }) => `${page}:${line} ${lang} ${note}`)).toEqual([]);
});

verifies('docs/fences', 'the TypeScript of the pages has no type errors', () => {
  const programs = new Map(
    [...pages].flatMap(([page, list]) => {
      const code = programOf(list);
      return code === '' ? [] : [[join(repo, 'dist', `${page.replaceAll('/', '-')}.mts`), `${code}\nexport {};\n`]];
    }),
  );
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (file) => programs.has(file) || fileExists(file);
  host.readFile = (file) => programs.get(file) ?? readFile(file);
  host.getSourceFile = (file, version, ...rest) => {
    const code = programs.get(file);
    return code === undefined ? getSourceFile(file, version, ...rest) : ts.createSourceFile(file, code, version);
  };
  const program = ts.createProgram([...programs.keys()], options, host);
  const errors = ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  expect(programs.size).toBeGreaterThan(1);
  expect(errors).toEqual([]);
});

for (const [page, list] of pages) {
  const program = programOf(list);
  if (page !== 'README.md' && program !== '') {
    verifies('docs/fences', `the TypeScript of ${page} runs`, async () => {
      expect((await runProgram(program)).stderr).toBe('');
    });
  }
  if (list.some(({ lang, note }) => lang === 'console' && !note.startsWith('not-run'))) {
    verifies('docs/fences', `the commands of ${page} print what it shows`, async () => {
      await inScratch(async ({ folder, env }) => {
        for (const fence of list) {
          if (isFile(fence)) await writeShown(folder, fence.note, fence.text);
          if (fence.lang !== 'console' || !isTried(fence)) continue;
          const cwd = fence.note === 'scratch' ? folder : repo;
          for (const { command, output } of commandsOf(fence.text)) {
            const printed = await runCommand(command, cwd, env);
            if (!fits(output, printed)) expect(printed, `${page}:${fence.line} ${command}`).toBe(output);
          }
        }
      });
    });
  }
}

verifies('docs/fences', 'a toolwright.json of a page is taken without a warning', async () => {
  const settings = fences.filter(({ note }) => note === 'toolwright.json');
  expect(settings.length).toBeGreaterThan(0);
  for (const { page, line, text } of settings) {
    await inScratch(async ({ folder, env }) => {
      await writeShown(folder, 'toolwright.json', text);
      for (const shown of pages.get(page) ?? [])
        if (shown.lang === 'js') await writeShown(folder, shown.note, shown.text);
      const runtime = await createRuntime({ cwd: folder, env, trustProject: true });
      expect([page, line, runtime.warnings]).toEqual([page, line, []]);
      await runtime.close();
    });
  }
});

verifies('docs/links', 'every link of a page leads to something', async () => {
  for (const page of pages.keys()) {
    for (const [, link = ''] of (await readPage(page)).matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)) {
      if (/^https?:/.test(link)) continue;
      const target = join(repo, page, '..', link);
      const entries = await readdir(join(target, '..')).catch((): string[] => []);
      expect([page, link, entries.includes(target.slice(target.lastIndexOf('/') + 1))]).toEqual([page, link, true]);
    }
  }
});

test('what a page shows is told from what it does not', () => {
  expect(fits('a 5 ms\n…\nz\n', 'a 17 ms\nb\nc\nz\n')).toBe(true);
  expect(fits('a\nz\n', 'a\nb\nz\n')).toBe(false);
  expect(commandsOf('$ a \\\n> b\nout\n$ c\n')).toEqual([
    { command: 'a \\\nb', output: 'out\n' },
    { command: 'c', output: '\n' },
  ]);
});
