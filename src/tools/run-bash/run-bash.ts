import { z } from 'zod';
import {
  type CallError,
  callError,
  cutStart,
  defineTool,
  type OutputStream,
  type ProcessExit,
  type ToolContext,
  type ToolOutput,
  ToolwrightError,
} from '../../core/index.ts';
import { createTextCleaner } from './clean-text.ts';
import { createOutputLog } from './output-log.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const LONGEST_TIMEOUT_MS = 600_000;
/** What the executor waits longer than the tool's own limit: the tool ends the tree and reports. */
const REPORT_MS = 5_000;
/** Of each stream, for screens. */
const DATA_CHARS = 8_192;

const input = z.strictObject({
  command: z.string().min(1).describe('Run by bash -c, so pipes, here-documents and several lines work.'),
  cwd: z.string().optional().describe('The folder to run in. Default: the working folder.'),
  env: z.record(z.string(), z.string()).optional().describe('Variables to add to the environment.'),
  timeout_ms: z
    .number()
    .int()
    .min(1)
    .max(LONGEST_TIMEOUT_MS)
    .optional()
    .describe(`Longest time, milliseconds. Default ${DEFAULT_TIMEOUT_MS}, at most ${LONGEST_TIMEOUT_MS}.`),
});

type Input = z.output<typeof input>;

/** Runs a command in a shell and waits for its end. */
export const runBash = defineTool({
  name: 'run_bash',
  description: `Runs a command with bash and waits until it ends. Each command starts anew in the working folder: cd and variables do not last from one to the next; write cd x && y, or give cwd. There is no terminal and no input: commands that would ask fail or get an empty answer, so use flags such as --yes. The answer holds stdout and stderr as they came, without colours and redrawn lines, and the exit code when it is not 0. A command that takes longer than timeout_ms is ended with all that it started. Prefer read_file, grep_files, glob_files, file_edit and file_write for files.`,
  input,
  traits: { interrupt: 'cancel', timeoutMs: ({ timeout_ms = DEFAULT_TIMEOUT_MS }) => timeout_ms + REPORT_MS },
  aliases: [
    { name: 'execute_shell_command', input: { workdir: 'cwd', env_vars: 'env' } },
    { name: 'Bash', input: { timeout: 'timeout_ms' } },
  ],
  subjects: ({ command, env }) => [{ kind: 'command', value: command, ...(env === undefined ? {} : { env }) }],
  async run(command, ctx): Promise<ToolOutput> {
    if (command.command.trim() === '') throw new ToolwrightError('invalid_input', 'command: it is empty.');
    const cwd = await findFolder(command.cwd ?? '.', ctx);
    return runCommand(command, cwd, ctx);
  },
});

async function findFolder(path: string, ctx: ToolContext): Promise<string> {
  const folder = await ctx.roots.resolve(path, 'read');
  const stat = await ctx.sandbox.stat(folder.real);
  if (stat?.kind === 'directory') return folder.real;
  throw new ToolwrightError(
    stat ? 'invalid_input' : 'failed',
    `cwd: ${path} ${stat ? 'is not a folder' : 'does not exist'}.`,
    {
      hint: 'Leave cwd out to run in the working folder.',
    },
  );
}

async function runCommand(
  { command, env, timeout_ms = DEFAULT_TIMEOUT_MS }: Input,
  cwd: string,
  ctx: ToolContext,
): Promise<ToolOutput> {
  const log = createOutputLog(ctx);
  const readers = { stdout: createReader('stdout', ctx), stderr: createReader('stderr', ctx) };
  const stop = new AbortController();
  const cancel = () => stop.abort(ctx.signal.reason);
  if (ctx.signal.aborted) cancel();
  ctx.signal.addEventListener('abort', cancel, { once: true });
  let timedOut = false;
  const timer = ctx.clock.after(timeout_ms, () => {
    timedOut = true;
    stop.abort();
  });
  const began = ctx.clock.now();
  try {
    const child = await ctx.sandbox.start(command, {
      cwd,
      ...(env === undefined ? {} : { env }),
      signal: stop.signal,
      onOutput: (bytes, stream) => log.add(readers[stream].read(bytes)),
    });
    const exit = await child.wait();
    for (const stream of ['stdout', 'stderr'] as const) await log.add(readers[stream].end());
    const { text, stored } = await log.close();
    const error = timedOut ? timeoutError(timeout_ms) : exitError(exit, command);
    return {
      content: [text.replace(/\n$/, ''), ...notes(exit, error)].filter((part) => part !== '').join('\n'),
      data: {
        exit_code: exit.code,
        signal: exit.signal,
        stdout: readers.stdout.last,
        stderr: readers.stderr.last,
        status: timedOut ? 'timeout' : ctx.signal.aborted ? 'cancelled' : 'completed',
        duration_ms: ctx.clock.now() - began,
      },
      ...(error ? { error } : {}),
      ...(stored ? { stored } : {}),
    };
  } finally {
    ctx.clock.clear(timer);
    ctx.signal.removeEventListener('abort', cancel);
  }
}

/** Reads one stream: whole letters for the screen as they come, clean lines for the model. */
function createReader(stream: OutputStream, ctx: ToolContext) {
  const decoder = new TextDecoder();
  const cleaner = createTextCleaner();
  let last = '';
  const take = (text: string): string => {
    last = cutStart(last + text, DATA_CHARS);
    return text;
  };
  return {
    get last() {
      return last;
    },
    read(bytes: Uint8Array): string {
      const text = decoder.decode(bytes, { stream: true });
      ctx.progress(text, stream);
      return take(cleaner.push(text));
    },
    end(): string {
      const rest = decoder.decode();
      ctx.progress(rest, stream);
      return take(cleaner.push(rest) + cleaner.end());
    },
  };
}

function notes(exit: ProcessExit, error: CallError | undefined): string[] {
  const code = exit.code !== null && exit.code !== 0 && error === undefined ? [`[exit code ${exit.code}]`] : [];
  const left = exit.leftChildren ? ['[a process that it started is still running; it ends with the session]'] : [];
  return [...(error ? [`[${error.message}]`] : code), ...left];
}

/** Programs whose exit code 1 means no, or nothing found. */
const ANSWERING = /^(?:e|f|z)?grep$|^(?:rg|ag|diff|cmp|test|\[|\[\[|expr|pgrep|which|type|command|false)$/;

/** The last command of a line answers with its exit code; a look at its first word, nothing more. */
function answersByCode(command: string): boolean {
  const last =
    command
      .trim()
      .split(/[;&|\n]+/)
      .filter((part) => part.trim() !== '')
      .at(-1) ?? '';
  return ANSWERING.test(last.trim().split(/\s+/)[0] ?? '') || /^\s*git\s+(?:diff|grep)\b/.test(last);
}

/** Every code but 0 is an error, save the 1 of a program that only answers no. */
function exitError({ code, signal }: ProcessExit, command: string): CallError | undefined {
  if (signal !== null) {
    return callError('failed', `ended by the signal ${signal}, exit code ${128 + (SIGNALS[signal] ?? 0)}`, {
      hint: 'It did not end by itself; what it was doing may be incomplete.',
    });
  }
  if (code === null || code === 0 || (code === 1 && answersByCode(command))) return undefined;
  if (code === 127)
    return callError('failed', 'exit code 127: a command was not found', { hint: 'Check its name, or install it.' });
  if (code === 126)
    return callError('failed', 'exit code 126: a file could not be executed', { hint: 'Check its mode.' });
  const by = Object.keys(SIGNALS).find((name) => SIGNALS[name] === code - 128);
  const why = by === undefined ? '' : `: the last command was ended by ${by}`;
  return callError('failed', `exit code ${code}${why}`, { hint: 'Read what it printed.' });
}

const SIGNALS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGXCPU: 24,
  SIGXFSZ: 25,
  SIGSYS: 31,
};

function timeoutError(ms: number): CallError {
  return callError('timeout', `ended after ${ms / 1_000} s, its time limit, with all that it had started`, {
    hint: 'Give it less to do, or a longer timeout_ms.',
    retryable: true,
  });
}
