import { execFileSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import type { ToolOutput } from '../../core/index.ts';
import { commandEnvironment } from '../../sandbox/index.ts';
import { createMemoryOutputs } from '../../testing/memory-outputs.ts';
import { inTempFolder } from '../../testing/temp-folder.ts';
import { createToolContext, type TestToolContext, type ToolContextOptions } from '../../testing/tool-context.ts';
import { createToolRunner, type ToolRunner } from '../../testing/tool-runner.ts';
import { runBash } from '../index.ts';
import { createTextCleaner } from './clean-text.ts';

interface Data {
  exit_code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  status: string;
}

const inShell = (
  body: (
    run: (command: string, more?: object) => ReturnType<ToolRunner['run']>,
    root: string,
    tools: ToolRunner,
  ) => Promise<void>,
) =>
  inTempFolder(async (root) => {
    const tools = createToolRunner([runBash], { root, env: commandEnvironment(process.env) });
    try {
      await body((command, more) => tools.run('run_bash', { command, ...more }), root, tools);
    } finally {
      await tools.context.dispose();
    }
  });

const running = (marker: string): boolean => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(marker);

verifies('SHELL-01', 'a silent background child that holds the pipe does not hold the call', () =>
  inShell(async (run) => {
    for (const command of [
      'sleep 31.01 & echo done',
      '(setsid sleep 31.02) & echo done',
      'sleep 31.03 </dev/null >/dev/null & echo done',
      'nohup sleep 31.04 & disown; echo done',
    ]) {
      const began = performance.now();
      const result = await run(command);
      expect(performance.now() - began).toBeLessThan(2_500);
      expect(result.text).toContain('done');
      expect(result.text).toContain('still running');
      expect((result.data as Data).exit_code).toBe(0);
    }
    const lines = await run('sleep 31.05 & seq 1 20000');
    expect(lines.stored).toBeDefined();
    expect(lines.text).toContain('20000');
  }).then(() => expect(running('sleep 31.0')).toBe(false)),
);

verifies('SHELL-03', 'a timeout ends the whole tree, deaf ones too, and keeps what was printed', () =>
  inShell(async (run) => {
    for (const command of [
      `echo first; bash -c 'trap "" TERM; sleep 61.01'`,
      'echo first; sh -c "sleep 61.02 | cat"',
      `echo first; python3 -c "import subprocess; subprocess.run(['sleep','61.03'])"`,
    ]) {
      const began = performance.now();
      const result = await run(command, { timeout_ms: 500 });
      expect(performance.now() - began).toBeLessThan(4_500);
      expect(result.error?.code).toBe('timeout');
      expect(result.text).toContain('first');
      expect(result.text).toContain('time limit');
    }
    expect(running('sleep 61.0')).toBe(false);
  }),
);

verifies('SHELL-05', 'nothing waits for input: there is none, and no terminal', () =>
  inShell(async (run) => {
    expect((await run('read -p "Name? " x; echo got:$x')).text).toContain('got:');
    expect((await run('cat')).text).toBe('(no output)');
    expect((await run('python3 -c "input()"')).text).toContain('EOF');
    expect((await run('bash -c "read x </dev/tty"')).text).toMatch(/tty/);
    expect((await run('echo $GIT_TERMINAL_PROMPT $PAGER')).text).toBe('0 cat');
  }),
);

verifies('SHELL-06', 'letters cut between two writes come out whole, on both streams', () =>
  inShell(async (run, _root, tools) => {
    const script =
      "const b=Buffer.from('café☕');process.stdout.write(b.subarray(0,4));process.stderr.write(b.subarray(0,7));setTimeout(()=>{process.stdout.write(b.subarray(4));process.stderr.write(b.subarray(7))},50)";
    const result = await run(`node -e "${script}"`);
    expect((result.data as Data).stdout).toBe('café☕');
    expect((result.data as Data).stderr).toBe('café☕');
    const many = await run(`node -e "process.stdout.write('你'.repeat(50000))"`);
    const whole = Buffer.from(await tools.context.outputs.read(many.stored?.path ?? '')).toString();
    expect(whole).toBe('你'.repeat(50_000));
  }),
);

verifies('SHELL-08', 'a flood is stored as it comes; beginning, end and exit code are shown', () =>
  inShell(async (run) => {
    const result = await run('yes | head -c 30M; echo END_MARK; exit 3');
    expect(result.text).toContain('END_MARK');
    expect(result.text).toContain('exit code 3');
    expect(result.text).toMatch(/\d+ bytes are left out/);
    expect(result.text.length).toBeLessThan(4_000);
    expect(result.stored?.bytes).toBe(30 * 1_048_576 + 9);
    expect((result.data as Data).exit_code).toBe(3);
  }),
);

verifies('SHELL-09', 'death by signal, exit codes and commands that cannot run are told apart', () =>
  inShell(async (run) => {
    const killed = await run('kill -9 $$');
    expect(killed.error?.message).toContain('SIGKILL');
    expect(killed.text).toContain('137');
    expect((await run('kill -TERM $$')).text).toContain('143');
    expect((await run('sh -c "kill -SEGV \\$\\$"; exit $?')).text).toMatch(/139.*SIGSEGV/);
    expect((await run('false | true')).error).toBeUndefined();
    expect((await run('nosuchcommand')).text).toMatch(/not found[\s\S]*127/);
    expect((await run('touch f; ./f')).text).toContain('126');
    const no = await run('grep x /dev/null');
    expect(no.error).toBeUndefined();
    expect(no.text).toContain('[exit code 1]');
  }),
);

verifies('SHELL-10', 'here-documents, comments, syntax errors: exit codes exact, nothing of ours in the output', () =>
  inShell(async (run) => {
    expect((await run("cat <<'EOF'\nbody $HOME `x`\nEOF")).text).toBe('body $HOME `x`');
    expect((await run('echo a # note')).text).toBe('a');
    expect((await run('echo a \\')).text).toBe('a \\');
    expect(((await run('cd sub &&')).data as Data).exit_code).toBe(2);
    expect(((await run('exit 7')).data as Data).exit_code).toBe(7);
  }),
);

verifies('SHELL-11', 'each command starts in the working folder; a folder that is gone is told', () =>
  inShell(async (run, root) => {
    await mkdir(join(root, 'sub'));
    await run('cd sub');
    expect((await run('basename "$PWD"')).text).toBe(root.split('/').at(-1));
    expect((await run('basename "$PWD"', { cwd: 'sub' })).text).toBe('sub');
    await rm(join(root, 'sub'), { recursive: true });
    expect((await run('pwd', { cwd: 'sub' })).text).toContain('does not exist');
    expect((await run('pwd', { cwd: '..' })).error?.code).toBe('denied');
  }),
);

verifies('SHELL-13', 'the environment is an allow-list plus what the call adds', () =>
  inTempFolder(async (root) => {
    const env = commandEnvironment({
      ...process.env,
      RANDOM_NEW_SECRET: 'zzz-secret',
      OPENAI_API_KEY: 'sk-zzz-secret',
    });
    const tools = createToolRunner([runBash], { root, env });
    const shown = await tools.run('run_bash', {
      command: 'env; node -e "console.log(process.env)"',
      env: { MINE: '1' },
    });
    expect(shown.text).not.toContain('zzz-secret');
    expect(shown.text).toContain('MINE=1');
    expect(shown.text).toContain('PATH=');
    await tools.context.dispose();
  }),
);

verifies('SHELL-15', 'colours, titles and redrawn lines leave their last state', () =>
  inShell(async (run) => {
    expect((await run(`for i in $(seq 1 100); do printf '\\rprogress %d%%' $i; done; echo`)).text).toBe(
      'progress 100%',
    );
    expect((await run(`printf '\\033[31mred\\033[0m \\033]0;title\\007x\\033[2K\\n'`)).text).toBe('red x');
    expect((await run(`printf 'a\\r\\nb\\r\\n'`)).text).toBe('a\nb');
    expect((await run(`printf 'last\\r'`)).text).toBe('last');
    expect((await run(`printf 'a\\0b\\n'`)).text).toBe('ab');
  }),
);

verifies('SHELL-15', 'cleaning does not depend on where the text was cut', () => {
  const part = fc.constantFrom(
    'a',
    'word ',
    '\r',
    '\n',
    '\r\n',
    '\u001b[31m',
    '\u001b[0K',
    '\u001b]0;t\u0007',
    '\b',
    '50%',
    '\u0000',
    'é',
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
      (parts, cuts) => {
        const text = parts.join('');
        const whole = createTextCleaner();
        const expected = whole.push(text) + whole.end();
        const cleaner = createTextCleaner();
        let out = '';
        for (let at = 0, i = 0; at < text.length; i++) {
          const size = cuts[i % cuts.length] as number;
          out += cleaner.push(text.slice(at, at + size));
          at += size;
        }
        expect(out + cleaner.end()).toBe(expected);
      },
    ),
    { numRuns: 500 },
  );
});

verifies('tools/run-bash', 'odd input is refused', () =>
  inShell(async (run) => {
    expect((await run('   ')).error?.code).toBe('invalid_input');
    expect((await run('echo a\u0000b')).error).toBeDefined();
    expect((await run('sleep 1', { background: true })).error?.code).toBe('unavailable');
    expect((await run('sleep 1', { block_until_ms: -1 })).error?.code).toBe('invalid_input');
  }),
);

const inContext = (
  options: Omit<ToolContextOptions, 'root' | 'env'>,
  body: (run: (command: string) => Promise<ToolOutput>, context: TestToolContext) => Promise<void>,
) =>
  inTempFolder(async (root) => {
    const context = createToolContext({ root, env: commandEnvironment(process.env), ...options });
    try {
      await body(async (command) => (await runBash.run({ command }, context)) as ToolOutput, context);
    } finally {
      await context.dispose();
    }
  });

verifies('tools/run-bash', 'progress is what was printed, as it comes, stderr apart', () =>
  inContext({}, async (run, { told }) => {
    const cut = `const b=Buffer.from('café☕');process.stdout.write(b.subarray(0,4));setTimeout(()=>process.stdout.write(b.subarray(4)),50)`;
    await run(`echo err >&2; node -e "${cut}"; printf '\\033[1m!\\r'`);
    const of = (stream: string) => told.filter((piece) => piece.stream === stream).map((piece) => piece.text);
    expect(of('stderr').join('')).toBe('err\n');
    expect(of('stdout').join('')).toBe('café☕\u001b[1m!\r');
    expect(of('stdout')[0]).toBe('caf');
  }),
);

verifies(
  'tools/run-bash',
  'a cancel that comes before the start ends it, and one under way ends all of it',
  async () => {
    const before = AbortSignal.abort(new Error('stop'));
    await inContext({ signal: before }, async (run) => {
      await expect(run('sleep 50')).rejects.toMatchObject({ code: 'cancelled' });
    });
    const controller = new AbortController();
    await inContext({ signal: controller.signal }, async (run, { told }) => {
      const result = run('echo up; sleep 51.7 | cat');
      while (told.length === 0) await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
      expect(((await result).data as Data).status).toBe('cancelled');
      expect(running('sleep 51.7')).toBe(false);
    });
  },
);

verifies('SHELL-08', 'an output just below the limit is shown whole, with its notes', () =>
  inShell(async (run) => {
    const { text, stored } = await run(`printf 'x%.0s' $(seq 1 3690); exit 1`);
    expect(text).toBe(`${'x'.repeat(3_690)}\n[exit code 1]`);
    expect(stored).toBeUndefined();
  }),
);

verifies('SHELL-08', 'when nothing can be stored, the beginning and the end are still shown', () => {
  const outputs = {
    ...createMemoryOutputs(),
    open: async () => {
      throw new Error('disk full');
    },
  };
  return inContext({ outputs }, async (run) => {
    const { content } = await run('seq 1 5000; echo END_MARK');
    expect(content).toMatch(/^1\n2\n.*could not be stored: disk full.*END_MARK$/s);
  });
});

verifies('SHELL-10', 'output can be opened by name', () =>
  inShell(async (run) => {
    expect((await run('echo a > /dev/stderr; echo b | tee /dev/stdout')).text.split('\n').sort()).toEqual([
      'a',
      'b',
      'b',
    ]);
  }),
);

verifies('SHELL-15', 'backspaces take letters away, in time that grows with the text', () => {
  const clean = (text: string) => {
    const cleaner = createTextCleaner();
    return cleaner.push(text) + cleaner.end();
  };
  expect(clean('N\bNA\bAM\bM')).toBe('NAM');
  expect(clean('ab\b\b\b😀\bc\n')).toBe('c\n');
  const began = performance.now();
  const cleaner = createTextCleaner();
  for (let i = 0; i < 20; i++) cleaner.push(`${'x'.repeat(3_000)}${'\by'.repeat(30_000)}`);
  expect(performance.now() - began).toBeLessThan(2_000);
});
