import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { randomId, type Sandbox, systemClock } from '../../src/core/index.ts';
import { createBackgroundTasks } from '../../src/runtime/background-tasks.ts';
import { hostSearcher } from '../../src/runtime/passthrough.ts';
import { createFileOutputs } from '../../src/store/index.ts';
import { createToolRunner, type ToolRunner } from '../../src/testing/tool-runner.ts';
import {
  awaitShell,
  fileEdit,
  fileWrite,
  globFiles,
  grepFiles,
  killShell,
  readFile,
  runBash,
} from '../../src/tools/index.ts';
import { openLocalWorld, openPassthroughWorld, whyNoLocal } from '../local-world.ts';
import { openRemoteWorld } from '../remote-world.ts';
import { verifies } from '../verifies.ts';

const TOOLS = [readFile, fileWrite, fileEdit, grepFiles, globFiles, runBash, awaitShell, killShell];

interface Place {
  readonly root: string;
  readonly outside: string;
  readonly sandbox: Sandbox;
  dispose(): Promise<void>;
}

type Call = ToolRunner['run'];

/** What a script of calls gives in one sandbox, without the names of its folders and without times. */
async function transcript(open: () => Promise<Place>, script: (run: Call, place: Place) => Promise<void>) {
  const place = await open();
  let n = 0;
  const tasks = createBackgroundTasks({ newId: () => String(n++).padStart(12, '0'), mask: (text) => text });
  const kept = await mkdtemp(join(tmpdir(), 'tw-outputs-'));
  const searcher = await hostSearcher(kept, process.env, systemClock, randomId);
  const outputs = createFileOutputs({ folder: kept, searcher });
  const tools = createToolRunner(TOOLS, { root: place.root, sandbox: place.sandbox, tasks, outputs });
  const lines: string[] = [];
  const plain = (text: string) =>
    text
      .replaceAll(`${place.root}/`, '')
      .replaceAll(place.root, 'ROOT')
      .replaceAll(place.outside, 'OUTSIDE')
      // Of a signal the shell of a cage tells by its exit code only.
      .replace(/\[ended by the signal (\w+), exit code (\d+)\]/, '[exit code $2: the last command was ended by $1]')
      // Each side names the folders that it allows.
      .replace(/(-> denied): .*/s, '$1');
  try {
    await script(async (name, input) => {
      const result = await tools.run(name, input);
      lines.push(plain(`${name} ${JSON.stringify(input)} -> ${result.error?.code ?? 'ok'}: ${result.text}`));
      return result;
    }, place);
  } finally {
    await tasks.close();
    await place.dispose();
    await rm(kept, { recursive: true });
  }
  return lines;
}

async function passthrough(): Promise<Place> {
  return openPassthroughWorld();
}

async function remote(): Promise<Place> {
  const world = await openRemoteWorld();
  const { sandbox } = await world.connect();
  return { root: world.root, outside: join(world.base, 'outside'), sandbox, dispose: () => world.dispose() };
}

const OTHERS: Readonly<Record<string, () => Promise<Place>>> = {
  remote,
  ...(whyNoLocal === undefined ? { local: openLocalWorld } : {}),
};

/** Runs the script everywhere; what it gives in passthrough is looked at, everywhere else it is the same. */
function same(title: string, script: (run: Call, place: Place) => Promise<void>, look: (lines: string[]) => void) {
  let expected: string[] = [];
  beforeAll(async () => {
    expected = await transcript(passthrough, script);
  }, 60_000);
  verifies('sandbox/tools', `passthrough: ${title}`, () => look(expected));
  for (const [kind, open] of Object.entries(OTHERS)) {
    verifies(
      'sandbox/tools',
      `${kind}: ${title}, as in passthrough`,
      async () => expect(await transcript(open, script)).toEqual(expected),
      60_000,
    );
  }
}

const codes = (lines: string[]) => lines.map((line) => / -> (\w+)/.exec(line)?.[1]);
const ODD = 'ünï "q" \'s\'/a b\n$HOME `x`.txt';

same(
  'files of any name are written, read, edited, found and searched',
  async (run) => {
    await run('file_write', { path: ODD, content: 'one\nneedle ä\n' });
    await run('read_file', { path: ODD });
    await run('file_edit', { path: ODD, old_string: 'needle', new_string: 'needles' });
    await run('grep_files', { pattern: 'needles', output_mode: 'files' });
    await run('grep_files', { pattern: 'needle', context: 1 });
    await run('glob_files', { pattern: '**/*.txt' });
    await run('run_bash', { command: 'cat */*.txt; ls -1 | wc -l' });
    await run('read_file', { path: 'nowhere.txt' });
    await run('read_file', { path: '.' });
    await run('file_write', { path: 'a\0b', content: '' });
  },
  (lines) => {
    expect(codes(lines)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'failed', 'failed', 'invalid_input']);
    expect(lines[6]).toContain('needles ä');
  },
);

same(
  'links out, dangling links, folders that are none and files changed behind our back are told alike',
  async (run, { root, outside }) => {
    await mkdir(outside, { recursive: true });
    await writeFile(join(outside, 'secret'), 'secret');
    await symlink(outside, join(root, 'out'));
    await symlink(join(root, 'gone'), join(root, 'dangling'));
    await writeFile(join(root, 'here'), 'in\n');
    await run('read_file', { path: 'out/secret' });
    await run('file_write', { path: 'out/new', content: 'x' });
    await run('read_file', { path: 'dangling' });
    await run('file_write', { path: 'dangling', content: 'x' });
    await run('read_file', { path: '../outside/secret' });
    await run('run_bash', { command: 'pwd', cwd: 'missing' });
    await run('run_bash', { command: 'pwd', cwd: 'here' });
    await run('run_bash', { command: 'pwd', cwd: 'out' });
    await run('read_file', { path: 'here' });
    await run('run_bash', { command: 'echo more >> here' });
    await run('file_edit', { path: 'here', old_string: 'in', new_string: 'out' });
    await run('run_bash', { command: 'rm here' });
    await run('file_edit', { path: 'here', old_string: 'in', new_string: 'out' });
  },
  (lines) => {
    expect(codes(lines).filter((code) => code === 'ok')).toHaveLength(3);
  },
);

same(
  'binary, empty, large and hidden files, and what git ignores',
  async (run, { root }) => {
    await mkdir(join(root, '.git'));
    await mkdir(join(root, 'sub'));
    await writeFile(join(root, '.gitignore'), 'ignored\n*.log\n');
    for (const name of ['ignored', 'seen', '.hidden', 'a.log', 'sub/b.log'])
      await writeFile(join(root, name), 'find me\n');
    await writeFile(join(root, 'binary'), Buffer.from([0, 1, 2, 255, 0]));
    await writeFile(join(root, 'empty'), '');
    await writeFile(join(root, 'large'), 'line of text\n'.repeat(200_000));
    await run('grep_files', { pattern: 'find me', output_mode: 'count' });
    await run('grep_files', { pattern: 'find me', hidden: true, output_mode: 'files' });
    await run('glob_files', { pattern: '**/*' });
    await run('glob_files', { pattern: '**/*', hidden: true, limit: 3 });
    await run('read_file', { path: 'binary' });
    await run('read_file', { path: 'empty' });
    await run('read_file', { path: 'large', offset: 199_999, limit: 5 });
    await run('grep_files', { pattern: 'no such thing' });
    await run('grep_files', { pattern: '(' });
  },
  (lines) => {
    expect(lines[0]).toContain('seen');
    expect(lines[0]).not.toContain('ignored');
  },
);

same(
  'commands: streams, exit codes, signals, limits, stored output, the background',
  async (run) => {
    await run('run_bash', { command: 'echo out; echo err >&2; exit 7' });
    await run('run_bash', { command: 'kill -9 $$' });
    await run('run_bash', { command: 'sleep 30', timeout_ms: 300 });
    await run('run_bash', { command: 'cat; read x; echo "[$x]"' });
    await run('run_bash', { command: 'echo $((1', cwd: '.' });
    await run('run_bash', { command: "cat <<'EOF'\n$HOME `x`\nEOF" });
    await run('run_bash', { command: 'echo "$A $B"', env: { A: 'a b', B: "'" } });
    const { stored } = await run('run_bash', { command: 'seq 1 20000' });
    await run('read_file', { path: stored?.path, offset: 19_999 });
    await run('grep_files', { pattern: '^1999[89]$', path: stored?.path });
    const started = await run('run_bash', { command: 'sleep 0.4; echo ready; sleep 30', background: true });
    const { task_id } = started.data as { task_id: string };
    await run('await_shell', { task_id, pattern: 'ready' });
    await run('kill_shell', { task_id });
    await run('await_shell', { task_id: 'shtask_none' });
  },
  (lines) => {
    expect(codes(lines).slice(0, 3)).toEqual(['failed', 'failed', 'timeout']);
    expect(lines[8]).toContain('20000');
    expect(lines[9]).toContain('19998');
    expect(lines[11]).toContain('ready');
  },
);
