import { spawn } from 'node:child_process';
import { type Clock, messageOf, onAbort } from '../core/index.ts';
import type { CommandEnd, RunCommand } from '../hooks/index.ts';

const MOST_BYTES = 10 * 1_048_576;
/** A command that has ended may leave a pipe open in something it started; that is not waited for longer. */
const DRAIN_MS = 250;

/**
 * Runs commands of the settings on the host in `sh -c`, as a group of their own that is ended when their time is
 * over, when the run is cancelled and when they have ended themselves.
 */
export function createRunCommand(options: {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
}): RunCommand {
  const { cwd, env, clock } = options;
  return (command, { input, timeoutMs, signal }) =>
    new Promise<CommandEnd>((resolve) => {
      const chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
      let bytes = 0;
      let timedOut = false;
      let code: number | null = null;
      let isOver = false;
      const child = spawn('sh', ['-c', command], { cwd, env, detached: true, stdio: 'pipe' });
      const endGroup = () => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        } catch {
          // Nothing of it is left.
        }
      };
      const timer = clock.after(timeoutMs, () => {
        timedOut = true;
        endGroup();
      });
      const off = signal === undefined ? () => {} : onAbort(signal, endGroup);
      const finish = (error?: string) => {
        if (isOver) return;
        isOver = true;
        clock.clear(timer);
        clearTimeout(drain);
        off();
        endGroup();
        child.stdout.destroy();
        child.stderr.destroy();
        const [stdout, stderr] = [chunks.stdout, chunks.stderr].map((list) => Buffer.concat(list).toString('utf8'));
        const said = { stdout: stdout ?? '', stderr: stderr ?? '', overflowed: bytes > MOST_BYTES };
        resolve({ code, timedOut, ...said, ...(error === undefined ? {} : { error }) });
      };
      let drain: NodeJS.Timeout | undefined;
      for (const name of ['stdout', 'stderr'] as const) {
        child[name].on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes <= MOST_BYTES) chunks[name].push(chunk);
        });
        child[name].on('error', () => {});
      }
      child.stdin.on('error', () => {});
      child.stdin.end(input);
      child.once('error', (error) => finish(messageOf(error)));
      child.once('exit', (exitCode) => {
        code = exitCode;
        drain = setTimeout(finish, DRAIN_MS);
      });
      child.once('close', () => finish());
    });
}
