import { tmpdir } from 'node:os';
import {
  type Clock,
  type NewId,
  type OutputStream,
  onAbort,
  type ProcessExit,
  type SandboxProcess,
  type StartOptions,
  ToolwrightError,
} from '../../core/index.ts';
import { endAtExit } from './end-at-exit.ts';
import { openPipes, socketPipes } from './output-pipes.ts';
import { pumpOutput } from './output-pump.ts';
import { createOutputTail } from './output-tail.ts';
import { TASK_VARIABLE } from './process-table.ts';
import { createProcessTree } from './process-tree.ts';
import { spawnChild } from './spawn-child.ts';

/** Of each stream that nobody listens to. */
const KEPT_BYTES = 1_048_576;

export interface ProcessOptions extends StartOptions {
  readonly cwd: string;
  /** The whole environment but for the task's mark. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly newId: NewId;
  /** What is started in the command's place, such as an isolating program with the command behind it. */
  readonly wrap?: (argv: readonly string[]) => readonly string[];
}

export interface StartedProcess extends SandboxProcess {
  /** What was kept of a stream when there is no `onOutput`: the last MiB or more. */
  readOutput(stream: OutputStream, offset: number, max: number): { bytes: Uint8Array; next: number };
}

/**
 * Starts a program, or a text in `bash -c`, on the host: in a session of its own, without a terminal, its input
 * empty. When `onOutput` gives a promise, the stream waits for it, and so does the program once its pipe is full.
 */
export async function startProcess(
  command: string | readonly string[],
  options: ProcessOptions,
): Promise<StartedProcess> {
  const { cwd, env, clock, signal, onOutput } = options;
  if (signal?.aborted) throw new ToolwrightError('cancelled', 'The command was cancelled before it started.');
  const id = options.newId();
  const isShell = typeof command === 'string';
  const argv = isShell ? ['bash', '-c', '--', command] : command;
  const pipes = isShell ? await openPipes(env['TMPDIR'] ?? tmpdir(), env['PATH'] ?? '') : socketPipes;
  const child = await spawnChild(options.wrap?.(argv) ?? argv, { cwd, env: { ...env, [TASK_VARIABLE]: id }, pipes });

  const tails = { stdout: createOutputTail(KEPT_BYTES), stderr: createOutputTail(KEPT_BYTES) };
  const offExit = endAtExit(child.pid);
  const tree = createProcessTree({ id, pid: child.pid, exited: child.exited, clock });
  let ending: Promise<void> | undefined;
  const kill = () => {
    ending ??= tree.end().finally(offExit);
    return ending;
  };
  const deliver = onOutput ?? ((bytes: Uint8Array, stream: OutputStream) => tails[stream].add(bytes));
  const pump = pumpOutput(child.streams, deliver, clock, () => void kill());
  const stopListening = signal ? onAbort(signal, () => void kill()) : () => {};

  const finish = async (): Promise<ProcessExit> => {
    const exit = await child.exited;
    await pump.drain();
    stopListening();
    if (ending) await ending;
    const leftChildren = await tree.hasStrays();
    if (!leftChildren) offExit();
    if (pump.fault) throw pump.fault.error;
    return { ...exit, leftChildren };
  };
  const done = finish();
  done.catch(() => {});
  return { id, kill, wait: () => done, readOutput: (stream, offset, max) => tails[stream].read(offset, max) };
}
