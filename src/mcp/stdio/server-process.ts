import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { type Clock, messageOf, ToolwrightError } from '../../core/index.ts';
import type { StdioTarget } from '../config/server-config.ts';
import type { Guardian } from './guardian.ts';
import { createTextTail } from './text-tail.ts';

/** How processes are started and ended on this host; the runtime brings it. */
export interface ProcessHost {
  /** The few variables of our own that a server sees, beside those of its config. */
  readonly environment: Readonly<Record<string, string>>;
  /** The variable that marks all that came from one start. */
  readonly mark: string;
  /** All that came from a process; `end` is TERM, a wait, KILL. */
  tree(main: { readonly id: string; readonly pid: number; readonly exited: Promise<unknown> }): {
    end(): Promise<void>;
  };
}

export interface ServerExit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface ServerProcess {
  readonly pid: number;
  readonly stdout: Readable;
  /** False when it was not taken: the process is gone, or reads nothing. */
  write(text: string): boolean;
  /** Resolves when it has ended, of itself or by `end`, and what it had printed was read. */
  readonly exited: Promise<ServerExit>;
  /** The end of what it wrote to stderr. */
  lastWords(max: number): string;
  /** Closes its stdin, waits, TERM, KILL; resolves when nothing of it is left. */
  end(): Promise<void>;
}

export interface StartOptions {
  readonly id: string;
  readonly target: StdioTarget;
  readonly host: ProcessHost;
  readonly guardian: Guardian;
  readonly clock: Clock;
}

/** How long a server may take to go by itself when its stdin has closed. */
const GOODBYE_MS = 1_000;
/** How long what an ended process has printed may take to come out of a pipe that its child still holds. */
const DRAIN_MS = 200;
const STDERR_BYTES = 65_536;
/** A server that leaves so much unread is asked nothing more. */
const MOST_UNREAD = 64 * 1_048_576;

/** Starts a server as the leader of a group of its own; no shell reads its arguments. */
export async function startServer({ id, target, host, guardian, clock }: StartOptions): Promise<ServerProcess> {
  const { command, args, cwd } = target;
  const child = await spawned(target, { ...host.environment, ...target.env, [host.mark]: id });
  const pid = child.pid as number;
  guardian.watch(pid);
  const tail = createTextTail(STDERR_BYTES);
  child.stderr.on('data', (chunk: Uint8Array) => tail.push(chunk));
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    stream.on('error', () => {});
    // An idle server does not keep our process alive; the guardian ends it when we are gone.
    (stream as typeof stream & { unref?: () => void }).unref?.();
  }
  child.unref();

  const left = new Promise<ServerExit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const exited = left.then(async (exit) => {
    await readOut(child.stdout, clock);
    return exit;
  });
  const tree = host.tree({ id, pid, exited: left });
  let ending: Promise<void> | undefined;
  const end = async () => {
    child.stdin.end();
    await new Promise<void>((resolve) => {
      const timer = clock.after(GOODBYE_MS, resolve);
      void left.then(() => {
        clock.clear(timer);
        resolve();
      });
    });
    await tree.end();
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    guardian.forget(pid);
  };
  const endOnce = () => {
    ending ??= end();
    return ending;
  };
  void exited.then(endOnce);
  return {
    pid,
    stdout: child.stdout,
    exited,
    write(text) {
      if (!child.stdin.writable || child.stdin.writableLength > MOST_UNREAD) return false;
      child.stdin.write(text);
      return true;
    },
    lastWords: tail.text,
    end: endOnce,
  };

  async function spawned(
    { command, args, cwd }: StdioTarget,
    env: Record<string, string>,
  ): Promise<ChildProcessByStdio<Writable, Readable, Readable>> {
    try {
      const made = spawn(command, [...args], { cwd, env, detached: true, stdio: 'pipe', shell: false });
      await new Promise<void>((resolve, reject) => {
        made.on('error', reject);
        made.once('spawn', resolve);
      });
      return made;
    } catch (error) {
      throw await startError(error);
    }
  }

  async function startError(error: unknown): Promise<ToolwrightError> {
    const { code } = error as NodeJS.ErrnoException;
    const say = (message: string, hint: string) => new ToolwrightError('unavailable', message, { hint, cause: error });
    if (
      !(await stat(cwd).then(
        (found) => found.isDirectory(),
        () => false,
      ))
    ) {
      return say(`its working folder ${cwd} does not exist`, 'Make the folder, or correct "cwd".');
    }
    if (code === 'ENOENT') {
      return say(`the command "${command}" was not found`, 'Install it, or write its full path as "command".');
    }
    if (code === 'EACCES') return say(`the command "${command}" may not be run`, 'Make the file executable.');
    if (code === 'E2BIG') return say('its arguments and variables are too long', 'Shorten them.');
    return say(
      `the command "${command}" could not be started with ${args.length} arguments: ${code ?? messageOf(error)}`,
      'Correct the entry.',
    );
  }
}

/** Resolves when the stream has ended, or when a while has passed without. */
function readOut(stream: Readable, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    if (stream.readableEnded || stream.destroyed) return resolve();
    const done = () => {
      clock.clear(timer);
      resolve();
    };
    const timer = clock.after(DRAIN_MS, resolve);
    stream.once('close', done);
    stream.once('end', done);
  });
}
