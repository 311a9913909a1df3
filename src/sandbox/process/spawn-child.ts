import { type ChildProcess, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { messageOf, ToolwrightError } from '../../core/index.ts';
import type { OutputPipes } from './output-pipes.ts';

export interface SpawnOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly pipes: OutputPipes;
}

export interface SpawnedChild {
  readonly pid: number;
  readonly streams: ReturnType<OutputPipes['attach']>;
  /** Resolves when the process itself has ended and was reaped. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/**
 * Starts a program as the leader of a session of its own: no terminal, nothing to read, one group to signal.
 * Resolves when it runs; what keeps it from running is a ToolwrightError.
 */
export async function spawnChild(argv: readonly string[], { cwd, env, pipes }: SpawnOptions): Promise<SpawnedChild> {
  const [program = '', ...args] = argv;
  checkText(argv, env);
  try {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', ...pipes.ends] });
    const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
      child.once('exit', (code, signal) => resolve({ code, signal })),
    );
    const pid = await running(child);
    return { pid, exited, streams: pipes.attach(child) };
  } catch (error) {
    pipes.discard();
    throw await startError(error, program, cwd);
  }
}

function running(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.once('spawn', () => resolve(child.pid as number));
  });
}

function checkText(argv: readonly string[], env: Readonly<Record<string, string>>): void {
  const refuse = (what: string, hint: string): never => {
    throw new ToolwrightError('invalid_input', what, { hint });
  };
  if (argv[0] === undefined || argv[0] === '') refuse('There is no program to start.', 'Name one.');
  if (argv.some((text) => text.includes('\0'))) {
    refuse(
      'The command holds a NUL character, which no program can be given.',
      "Write it as an escape, such as $'\\x00' or printf '\\0'.",
    );
  }
  for (const [name, value] of Object.entries(env)) {
    if (name === '' || /[=\0]/.test(name) || value.includes('\0')) {
      refuse(
        `The environment variable ${JSON.stringify(name)} has a name or value that cannot be passed on.`,
        'Names hold no =, and nothing holds a NUL.',
      );
    }
  }
}

async function startError(error: unknown, program: string, cwd: string): Promise<ToolwrightError> {
  const code = (error as NodeJS.ErrnoException).code;
  const failed = (message: string, hint: string, retryable = false) =>
    new ToolwrightError('failed', message, { hint, retryable, cause: error });
  if (code === 'E2BIG') {
    return new ToolwrightError(
      'invalid_input',
      'The command or its environment is too long for one start (about 128 KB).',
      {
        hint: 'Write it to a file with file_write and run that file.',
        cause: error,
      },
    );
  }
  if (code === 'EAGAIN' || code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM') {
    return failed(
      `${program} cannot start: the host is out of processes, files or memory (${code}).`,
      'Try again later.',
      true,
    );
  }
  const folder = await stat(cwd).catch(() => undefined);
  if (!folder)
    return failed(
      `${program} cannot start: its folder ${cwd} does not exist.`,
      'Make the folder again, or give another cwd.',
    );
  if (!folder.isDirectory())
    return failed(`${program} cannot start in ${cwd}, which is not a folder.`, 'Give a folder as cwd.');
  if (code === 'ENOENT')
    return failed(`There is no program ${program}.`, 'Install it, or name another; a program is looked for in PATH.');
  if (code === 'EACCES')
    return failed(`${program} cannot be executed, or its folder ${cwd} not be entered.`, 'Check the permissions.');
  return failed(`${program} cannot start: ${messageOf(error)}`, 'Check the program and its folder.');
}
