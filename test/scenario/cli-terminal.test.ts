import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createScreen } from '../screen.ts';
import { verifies } from '../verifies.ts';
import { cli, withEnv } from './cli-world.ts';
import { inWorld } from './runtime-world.ts';

const BIN = join(import.meta.dirname, '../../bin/toolwright.js');
const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;

/** What the command line prints under a real pseudo-terminal of 90 columns and 20 rows. */
async function onTerminal(
  line: string,
  options: { cwd: string; env: Record<string, string>; interruptAt?: string; term?: string },
) {
  const child = spawn(
    'script',
    ['-qec', `stty cols 90 rows 20; exec ${process.execPath} ${BIN} ${line}`, '/dev/null'],
    {
      cwd: options.cwd,
      env: { ...options.env, TERM: options.term ?? 'xterm-256color', CI: '' },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  let written = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text) => {
    const before = written;
    written += text;
    const { interruptAt } = options;
    if (interruptAt && written.includes(interruptAt) && !before.includes(interruptAt)) child.stdin.write('\x03');
  });
  const [code] = await once(child, 'close');
  const screen = createScreen({ columns: 90, rows: 20 });
  await screen.write(written);
  return { code, screen, written };
}

if (hasScript) {
  verifies('cli/live', 'under a pseudo-terminal: painted while it runs, one line when it has ended', () =>
    inWorld(async ({ project, env }) => {
      const command = 'seq 1 2000; sleep 0.3';
      const { code, screen, written } = await onTerminal(
        `run 'run_bash ${JSON.stringify({ command })}' --permission-mode open`,
        { cwd: project, env },
      );
      expect({ code, faults: screen.faults }).toEqual({ code: 0, faults: [] });
      expect(written).toContain('1999');
      const rows = screen.all();
      expect(rows[0]).toMatch(/^✓ run_bash command: seq 1 2000; sleep 0\.3 \d+ ms · exit 0 · 2,000 lines$/);
      expect(rows.join('\n')).not.toContain('1999');
    }),
  );

  verifies('cli/live', 'under a pseudo-terminal: tools call paints on stderr, its result stays whole', () =>
    inWorld(async ({ project, env }) => {
      const { code, screen } = await onTerminal(
        `tools call run_bash '{"command":"echo one; echo two >&2; sleep 0.2"}' --permission-mode open`,
        { cwd: project, env },
      );
      expect({ code, faults: screen.faults }).toEqual({ code: 0, faults: [] });
      expect(screen.all()[0]).toMatch(/^✓ run_bash .* exit 0 · 2 lines$/);
      expect(screen.all().slice(1)).toEqual(['one', 'two']);
    }),
  );

  verifies('cli/live', 'under a pseudo-terminal: Ctrl-C ends the call, and nothing of the region is left', () =>
    inWorld(async ({ project, env }) => {
      const { code, screen } = await onTerminal(
        `run 'run_bash {"command":"echo began; sleep 30"}' --permission-mode open`,
        { cwd: project, env, interruptAt: 'began' + '\x1b[K' },
      );
      expect(code).toBe(130);
      const rows = screen.all();
      expect(rows.join('\n')).toContain('stopping; once more to stop at once');
      expect(rows.some((row) => /^✗ run_bash .*cancelled/.test(row))).toBe(true);
      expect(rows.join('\n')).not.toContain('| began');
    }),
  );

  verifies('cli/view', 'on a dumb terminal lines are only added', () =>
    inWorld(async ({ project, env }) => {
      const line = `run 'run_bash {"command":"seq 1 50"}' --permission-mode open`;
      const { written } = await onTerminal(line, { cwd: project, env, term: 'dumb' });
      expect(written).not.toMatch(/\x1b\[\d*[AJK]/);
      expect(written).toContain('… 10 more lines');
    }),
  );
} else {
  test.skip('cli/live: a real pseudo-terminal, since this machine has no `script` of util-linux', () => {});
}

verifies(
  'cli/live',
  'a question is put while other calls run: the region goes, the answer is taken, it comes back',
  () =>
    inWorld(async ({ project, env }) => {
      const screen = createScreen({ columns: 100, rows: 30 });
      const asked: string[][] = [];
      await writeFile(join(project, 'go.sh'), 'echo live; while [ ! -e go.txt ]; do sleep 0.05; done; echo end\n');
      await withEnv(env, async () => {
        const prompt = 'run_bash {"command":"sh go.sh"}\nfile_write {"path":"done.txt","content":"x"}';
        const { code } = await cli(['run', prompt, '--cwd', project, '--allow', 'run_bash', '--ask', 'file_write'], {
          screen,
          person(text, { type }) {
            if (!text.includes('Allow it?')) return;
            asked.push(screen.seen());
            writeFileSync(join(project, 'go.txt'), '');
            type('y');
          },
        });
        expect(code).toBe(0);
      });
      expect(asked).toHaveLength(1);
      expect(asked[0]?.join('\n')).not.toContain('| live');
      expect(asked[0]?.[0]).toContain('● file_write path: done.txt');
      expect(screen.faults).toEqual([]);
      expect(
        screen
          .all()
          .filter((row) => /^[✓✗●]/.test(row))
          .map((row) => row.slice(0, 14).trim()),
      ).toEqual(['● file_write p', '✓ run_bash com', '✓ file_write p']);
    }),
);

verifies('cli/view', 'without a terminal lines are only added', () =>
  inWorld(async ({ project, env }) => {
    const args = [BIN, 'run', 'run_bash {"command":"seq 1 50"}', '--permission-mode', 'open'];
    const child = spawn(process.execPath, args, { cwd: project, env: { ...env, FORCE_COLOR: '1' } });
    let out = '';
    child.stdout.on('data', (bytes) => {
      out += bytes;
    });
    await once(child, 'close');
    expect(out).not.toMatch(/\x1b\[\d*[AJK]|\r/);
    expect(out).toContain('… 10 more lines');
  }),
);
