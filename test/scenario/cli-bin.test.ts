import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { inWorld, type World } from './runtime-world.ts';

const CHECKOUT = join(import.meta.dirname, '..', '..');
const BIN = join(CHECKOUT, 'bin', 'toolwright.js');

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The built program as a process; `onOut` sees all output so far. */
function program(
  world: World,
  argv: readonly string[],
  onOut: (out: string, child: ChildProcess) => void = () => {},
  nodeFlags: readonly string[] = [],
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...nodeFlags, BIN, ...argv], {
      cwd: world.project,
      env: world.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
      onOut(out, child);
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

const events = ({ out }: Ended): Record<string, unknown>[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

verifies('cli/interrupt', 'SIGINT ends a running command: its result, run_end, exit 130, nothing left behind', () =>
  inWorld(async (world) => {
    let sent = false;
    const ended = await program(
      world,
      ['run', 'run_bash {"command":"echo begun; sleep 30"}', '--allow', 'run_bash', '--json'],
      (out, child) => {
        if (sent || !out.includes('begun\\n')) return;
        sent = true;
        child.kill('SIGINT');
      },
    );
    expect(ended.code).toBe(130);
    expect(events(ended).at(-1)).toMatchObject({ type: 'run_end', reason: 'cancelled' });
    expect(events(ended).find((event) => event['type'] === 'tool_result')).toMatchObject({ is_error: true });
    const again = await program(world, ['sessions', 'list', '--json']);
    expect(JSON.parse(again.out)).toMatchObject([{ status: 'idle' }]);
  }),
);

verifies('cli/interrupt', 'a call that must finish is waited for at the first SIGINT and not at the second', () =>
  inWorld(async (world) => {
    await mkdir(join(world.project, 'tools'));
    await writeFile(join(world.project, 'tools', 'package.json'), '{"type":"module"}');
    await writeFile(
      join(world.project, 'tools', 'stubborn.js'),
      `export const stubborn = { name: 'stubborn', description: 'Never ends.', input: { type: 'object' },
        traits: { interrupt: 'block' }, run: () => new Promise(() => {}) };`,
    );
    let signals = 0;
    const ended = await program(
      world,
      ['run', 'stubborn {}', '--allow', 'stubborn', '--tools-dir', 'tools', '--json'],
      (out, child) => {
        if (signals > 0 || !out.includes('"tool_call"')) return;
        signals = 1;
        setTimeout(() => child.kill('SIGINT'), 100);
        setTimeout(() => child.kill('SIGINT'), 600);
      },
    );
    expect(ended.code).toBe(130);
    expect(events(ended).find((event) => event['type'] === 'tool_result')).toMatchObject({
      error: { code: 'uncertain' },
    });
    expect(events(ended).at(-1)).toMatchObject({ type: 'run_end', reason: 'cancelled' });
  }),
);

verifies('cli/broken-pipe', 'a reader that leaves early sees no trace on stderr', () =>
  inWorld(async (world) => {
    for (const argv of [
      ['tools', 'list', '--json'],
      ['run', 'run_bash {"command":"seq 1 200000"}', '--allow', 'run_bash', '--json'],
    ]) {
      const ended = await program(world, argv, (_out, child) => child.stdout?.destroy());
      expect(ended.err).not.toMatch(/EPIPE|\n\s+at /);
      expect([0, 130]).toContain(ended.code);
    }
  }),
);

/** Tells on stderr what is loaded. */
const hook = `export const load = (url, context, next) => (writeSync(2, url + '\\n'), next(url, context));`;
const hooks = `import { writeSync } from 'node:fs'; ${hook}`;
const telling = `import { register } from 'node:module'; register(${JSON.stringify(asModule(hooks))});`;

function asModule(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

verifies('cli/lazy', '--version and --help load the command line and no room', () =>
  inWorld(async (world) => {
    for (const flag of ['--version', '--help']) {
      const { code, err } = await program(world, [flag], undefined, ['--import', asModule(telling)]);
      expect(code).toBe(0);
      const rooms = [...err.matchAll(/\/dist\/(\w+)\//g)].map(([, room]) => room);
      expect([...new Set(rooms)].sort()).toEqual(['cli', 'core']);
      expect(err).toContain('/commander/');
      expect(err).not.toMatch(/node_modules\/(?!commander)/);
    }
  }),
);

verifies('cli/demo', 'the tour works without key and terminal, in time, and leaves nothing behind', () =>
  inWorld(async (world) => {
    const before = (await readdir(tmpdir())).filter((name) => name.startsWith('toolwright-demo-'));
    const began = Date.now();
    const ended = await program(world, ['demo']);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(Date.now() - began).toBeLessThan(30_000);
    for (const name of ['read_file', 'glob_files', 'grep_files', 'file_write', 'file_edit', 'run_bash']) {
      expect(ended.out).toMatch(new RegExp(`✓ ${name} \\d+ ms`));
    }
    expect(ended.out).toContain('✗ run_bash denied');
    expect(ended.out).toContain('stored whole: outputs/');
    expect(ended.out).toContain('What to try next');
    const after = (await readdir(tmpdir())).filter((name) => name.startsWith('toolwright-demo-'));
    expect(after.filter((name) => !before.includes(name))).toEqual([]);
    expect(await readdir(world.home)).toEqual([]);
  }),
);
