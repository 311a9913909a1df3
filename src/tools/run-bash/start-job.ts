import {
  type CallError,
  callError,
  cutStart,
  isToolwrightError,
  messageOf,
  type OutputStream,
  type ProcessExit,
  type TaskStatus,
  type ToolContext,
  type ToolOutput,
  tailOf,
} from '../../core/index.ts';
import { createTextCleaner } from './clean-text.ts';
import { exitError } from './exit-error.ts';
import { createOutputLog } from './output-log.ts';
import { promptNote } from './prompt-note.ts';
import { startCommand } from './start-command.ts';
import { createTextTail } from './text-tail.ts';

/** Of each stream, for screens. */
const DATA_CHARS = 8_192;
/** Clean output at hand for a pattern that is looked for later. */
const RECENT_CHARS = 65_536;

/** Clean text that was printed: whole lines, and then the line that is not yet ended. */
export type Listener = (raw: string, stream: OutputStream, lines: string, line: string) => void;

/** A command under way, whoever waits for it. */
export interface Job {
  readonly command: string;
  readonly cwd: string;
  readonly processId: string;
  /** Where all of its output can be read. */
  readonly place: string | undefined;
  readonly status: TaskStatus | 'cancelled';
  /** Its result is there. Never rejects. */
  readonly ended: Promise<void>;
  /** The last of what was printed, clean. */
  readonly recent: string;
  /** … on one of the streams. */
  recentOf(stream: OutputStream): string;
  readonly durationMs: number;
  /** The whole result once it has ended, what there is before that. */
  output(taskId: string | undefined): ToolOutput;
  /** Ends the tree. The first cause stands. */
  stop(cause: { readonly status: 'timeout' | 'killed' | 'cancelled'; readonly error?: CallError }): Promise<void>;
  /** From now on all output goes to a file; gives where it can be read meanwhile. */
  keep(): Promise<string | undefined>;
  listen(listener: Listener): () => void;
}

export interface JobOptions {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>> | undefined;
}

/** The line to a sandbox was lost: a command that had started may have done all, some or nothing of its work. */
function lostError(error: unknown): CallError {
  const message = `the command was lost: ${messageOf(error)}`;
  const { started } = (isToolwrightError(error) ? (error.data ?? {}) : {}) as { started?: boolean };
  if (started !== true) return callError('unavailable', message, { retryable: true });
  return callError('uncertain', message, { hint: 'Look at what it has done before you run it again.' });
}

/** Starts a command and gathers what it prints, in bounded memory. */
export async function startJob({ command, cwd, env }: JobOptions, ctx: ToolContext): Promise<Job> {
  const log = createOutputLog(ctx);
  const listeners = new Set<Listener>();
  const recent = createTextTail(RECENT_CHARS);
  const reader = (stream: OutputStream) => {
    const decoder = new TextDecoder();
    const cleaner = createTextCleaner();
    const own = createTextTail(RECENT_CHARS);
    const take = (raw: string, lines: string): string => {
      own.add(lines);
      recent.add(lines);
      for (const listener of listeners) listener(raw, stream, lines, cleaner.line);
      return lines;
    };
    return {
      get last() {
        return tailOf(own.text, DATA_CHARS) + cutStart(cleaner.line, DATA_CHARS);
      },
      get recent() {
        return own.text + cleaner.line;
      },
      get line() {
        return cleaner.line;
      },
      read(bytes: Uint8Array): string {
        const raw = decoder.decode(bytes, { stream: true });
        return take(raw, cleaner.push(raw));
      },
      end(): string {
        const raw = decoder.decode();
        const lines = cleaner.push(raw) + cleaner.end();
        return take(raw, lines);
      },
    };
  };
  const readers = { stdout: reader('stdout'), stderr: reader('stderr') };
  const began = ctx.clock.now();
  let livePath: string | undefined;
  let cause: { status: TaskStatus | 'cancelled'; error?: CallError } | undefined;
  let done: { status: TaskStatus | 'cancelled'; output: ToolOutput; exit?: ProcessExit; ms: number } | undefined;

  const child = await startCommand(ctx, command, {
    cwd,
    ...(env === undefined ? {} : { env }),
    onOutput: (bytes, stream) => log.add(readers[stream].read(bytes)),
  });
  const finish = async (): Promise<void> => {
    let exit: ProcessExit | undefined;
    let fault: CallError | undefined;
    try {
      exit = await child.wait();
    } catch (error) {
      fault = lostError(error);
    }
    for (const stream of ['stdout', 'stderr'] as const) await log.add(readers[stream].end());
    const { text, stored } = await log.close();
    const error = cause?.error ?? fault ?? (exit && exitError(exit, command));
    const status = cause?.status ?? (fault || exit?.signal != null ? 'failed' : 'completed');
    const wanted = cause === undefined ? promptNote(recent.text, command) : undefined;
    const content = [text.replace(/\n$/, ''), ...notes(exit, error), wanted ?? ''].filter((part) => part !== '');
    const output = { content: content.join('\n'), ...(error ? { error } : {}), ...(stored ? { stored } : {}) };
    done = { status, output, ms: ctx.clock.now() - began, ...(exit ? { exit } : {}) };
    listeners.clear();
  };
  const ended = finish().catch((error: unknown) => {
    const fault = callError('internal', messageOf(error));
    done ??= { status: 'failed', output: { content: fault.message, error: fault }, ms: ctx.clock.now() - began };
  });
  const durationMs = () => done?.ms ?? ctx.clock.now() - began;

  return {
    command,
    cwd,
    processId: child.id,
    get place() {
      return done?.output.stored?.path ?? livePath;
    },
    ended,
    get status() {
      return done?.status ?? 'running';
    },
    get recent() {
      return recent.text + readers.stdout.line + readers.stderr.line;
    },
    recentOf: (stream) => readers[stream].recent,
    get durationMs() {
      return durationMs();
    },
    output(taskId) {
      const data = {
        exit_code: done?.exit?.code ?? null,
        signal: done?.exit?.signal ?? null,
        stdout: readers.stdout.last,
        stderr: readers.stderr.last,
        task_id: taskId ?? null,
        status: done?.status ?? 'running',
        duration_ms: durationMs(),
      };
      if (done) return { ...done.output, data };
      const place = livePath === undefined ? '' : `\n[all of it so far: read_file ${livePath}]`;
      return { content: `${log.text}${readers.stdout.line}${readers.stderr.line}${place}`, data };
    },
    async stop(why) {
      if (!done) cause ??= why;
      await child.kill();
      await ended;
    },
    async keep() {
      if (!done) livePath = await log.keep();
      return livePath;
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function notes(exit: ProcessExit | undefined, error: CallError | undefined): string[] {
  const code = exit && exit.code !== null && exit.code !== 0 && error === undefined ? [`[exit code ${exit.code}]`] : [];
  const left = exit?.leftChildren ? ['[a process that it started is still running; it ends with the session]'] : [];
  return [...(error ? [`[${error.message}]`] : code), ...left];
}
