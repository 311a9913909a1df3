import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { createPolicy, createShellReader } from '../../src/policy/index.ts';
import { verifies } from '../verifies.ts';
import { sentences } from './shell-sentences.ts';
import { soups } from './shell-soups.ts';

/** Lines that are tried; a long search sets more. */
const LINES = Number(process.env['TOOLWRIGHT_TEST_LINES'] ?? 300);

const NONE = {
  readOnly: false,
  claims: [],
  declared: false,
  paths: [],
  hosts: [],
  texts: [],
  permissions: [],
} as const;

/** Runs each line in a folder of its own; gives those that started the program `zap`. Nothing but bash itself judges. */
async function linesThatRun(folder: string, lines: readonly string[]): Promise<Set<number>> {
  const driver = `
    n=0
    while IFS= read -r -d '' line; do
      rm -rf "$1/marker" "$1/work"; mkdir "$1/work"; cd "$1/work"
      # Whatever it started holds descriptor 9, so that the line is over when this is.
      : "$( { timeout -k 1 2 bash -c "$line" </dev/null >/dev/null 2>&1; } 9>&1 )"
      cd "$1"
      [ -e "$1/marker" ] && echo "$n"
      n=$((n + 1))
    done`;
  const child = spawn('bash', ['-c', driver, '_', folder], {
    env: {
      PATH: `${join(folder, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
      HOME: folder,
      Z: 'zap',
      P: 'Z',
      GIT_CONFIG_NOSYSTEM: '1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(`${lines.join('\0')}\0`);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    output += piece;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(0);
  return new Set(
    output
      .split('\n')
      .filter((line) => line !== '')
      .map(Number),
  );
}

async function withPrograms(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'shell-fuzz-')));
  try {
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'zap'), `#!/bin/bash\n: > ${folder}/marker\n`);
    await writeFile(join(bin, 'ok'), '#!/bin/bash\nexit 0\n');
    for (const name of ['sudo', 'doas', 'unbuffer']) {
      await writeFile(join(bin, name), '#!/bin/bash\n[ "$1" = -u ] && shift 2\nexec "$@"\n');
    }
    for (const name of ['zap', 'ok', 'sudo', 'doas', 'unbuffer']) await chmod(join(bin, name), 0o755);
    await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

verifies(
  'policy/shell-deny',
  'bash itself is asked: no line that runs a denied program is ever allowed',
  () =>
    withPrograms(async (folder) => {
      const lines = [...fc.sample(sentences(join(folder, 'bin')), LINES), ...fc.sample(soups, Math.ceil(LINES / 2))];
      const read = createShellReader();
      const everything = ['run_bash'];
      const fenced = createPolicy({ mode: 'open', allow: everything, grants: everything, deny: ['run_bash(zap:*)'] });
      const harmless =
        'ok echo cat wait bash sh env find xargs eval sed awk git sudo grep ls tar which export read command source'.split(
          ' ',
        );
      const listed = createPolicy({ mode: 'standard', allow: harmless.map((name) => `run_bash(${name}:*)`) });
      const ran = await linesThatRun(folder, lines);
      const wrong: string[] = [];
      const allowed = { fenced: 0, listed: 0 };
      for (const [index, line] of lines.entries()) {
        const facts = { ...NONE, commands: [line], shell: [await read(line)] };
        const call = { name: 'run_bash', input: { command: line }, facts };
        for (const [name, policy] of Object.entries({ fenced, listed })) {
          if (policy.decide(call).effect !== 'allow') continue;
          allowed[name as keyof typeof allowed]++;
          if (ran.has(index)) wrong.push(`${name}: ${line}`);
        }
      }
      expect(wrong).toEqual([]);
      // It would be no use if it allowed next to nothing, or if next to nothing had run the program.
      expect(ran.size).toBeGreaterThan(LINES / 5);
      expect(allowed.fenced).toBeGreaterThan(LINES / 20);
      expect(allowed.listed).toBeGreaterThan(LINES / 50);
      if (LINES > 300) console.log(`${lines.length} lines, ${ran.size} ran it, allowed ${JSON.stringify(allowed)}`);
    }),
  600_000,
);
