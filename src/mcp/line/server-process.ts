import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock, Log } from '../../core/index.ts';
import { createTextTail } from './text-tail.ts';

/** What the room is given to keep processes in hand. */
export interface ProcessPorts {
  readonly clock: Clock;
  readonly log: Log;
  /** The environment of a child: a short list of the host's names, and these. */
  environment(extra: Readonly<Record<string, string>>): Record<string, string>;
  /** A tree that ends all that came from a process: its group, and what left the group. */
  tree(options: { id: string; pid: number; exited: Promise<unknown> }): { end(): Promise<void> };
  /** Ends the group of a process when this one has died without a word. */
  guard(pid: number): { release(): void };
  newTaskId(): string;
}

export interface ServerProcess {
  readonly pid: number;
  /** Resolves when the process itself has ended. */
  readonly exited: Promise<string>;
  /** The end of what it printed on stderr. */
  readonly stderr: string;
  write(text: string): Promise<void>;
  /** Stdin closed, a second to leave, then TERM and KILL for all of it. Resolves when nothing is left. */
  end(): Promise<void>;
}

export interface ServerProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly onOutput: (chunk: Buffer) => void;
}

const STDERR_CHARS = 64 * 1_024;
const LEAVE_MS = 1_000;
/** Where every child carries the id of what it belongs to. */
const TASK_VARIABLE = 'TOOLWRIGHT_TASK';

/** Starts a server as the leader of its own group. Rejects with the system's word when it cannot be started. */
export async function startServerProcess(options: ServerProcessOptions, ports: ProcessPorts): Promise<ServerProcess> {
  const { command, args, env, cwd, onOutput } = options;
  const id = ports.newTaskId();
  const child = spawn(command, [...args], {
    env: { ...ports.environment(env), [TASK_VARIABLE]: id },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: 'pipe',
    detached: true,
    shell: false,
  });
  const stderr = createTextTail(STDERR_CHARS);
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  const pid = await started(child);
  const tree = ports.tree({ id, pid, exited });
  const guard = ports.guard(pid);
  child.stdout.on('data', onOutput);
  child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text));
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
  let ending: Promise<void> | undefined;
  return {
    pid,
    exited,
    get stderr() {
      return stderr.text;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        if (!child.stdin.writable) return reject(new Error('the server reads no more'));
        child.stdin.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    end() {
      ending ??= (async () => {
        child.stdin.end();
        await within(exited, LEAVE_MS, ports.clock);
        await tree.end();
        guard.release();
        for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      })();
      return ending;
    },
  };
}

function started(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.once('spawn', () => resolve(child.pid as number));
  });
}

function within(promise: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(ms, resolve);
    void promise.then(() => {
      clock.clear(timer);
      resolve();
    });
  });
}
