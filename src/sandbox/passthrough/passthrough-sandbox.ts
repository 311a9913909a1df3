import type { Clock, NewId, Root, Sandbox } from '../../core/index.ts';
import { ToolwrightError } from '../../core/index.ts';
import { createGuard } from '../guard.ts';
import { createKeptOutputs } from '../process/kept-outputs.ts';
import type { StartedProcess } from '../process/start-process.ts';
import { createHostFiles } from './host-files.ts';
import { hostRealPath } from './host-real-path.ts';
import { holdByDescriptor, holdByInode } from './open-path.ts';

export interface PassthroughOptions {
  readonly roots: readonly Root[];
  /** Where commands start when they do not say. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly newId: NewId;
  /** The whole environment of commands; nothing of the host's is added. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where ripgrep is. */
  readonly ripgrep?: string;
  /** How files are held between check and use. Default: by descriptor on Linux, else by device and inode. */
  readonly holdBy?: 'descriptor' | 'inode';
}

/** The host itself: files held to the roots, commands with nothing between them and the machine. */
export function createPassthroughSandbox(options: PassthroughOptions): Sandbox {
  const { roots, cwd, clock, newId, env = {}, ripgrep } = options;
  const holdBy = options.holdBy ?? (process.platform === 'linux' ? 'descriptor' : 'inode');
  const guard = createGuard(roots, hostRealPath);
  const files = createHostFiles({ guard, newId, hold: holdBy === 'descriptor' ? holdByDescriptor : holdByInode });
  const running = new Set<StartedProcess>();
  const outputs = createKeptOutputs();
  let disposed = false;
  return {
    id: newId(),
    kind: 'passthrough',
    capabilities: {
      isolation: 'none',
      rangeReads: true,
      processes: true,
      ...(ripgrep === undefined ? {} : { ripgrep }),
    },
    ...files,
    async start(command, start = {}) {
      if (disposed)
        throw new ToolwrightError('unavailable', 'The sandbox has been closed; no command can start in it.');
      const { real } = await hostRealPath(start.cwd ?? cwd);
      await guard(real, 'read');
      const { startProcess } = await import('../process/start-process.ts');
      const child = await startProcess(command, { ...start, cwd: real, env: { ...env, ...start.env }, clock, newId });
      running.add(child);
      if (start.onOutput === undefined) outputs.keep(child);
      void child.wait().then(
        (exit) => exit.leftChildren || running.delete(child),
        () => running.delete(child),
      );
      return child;
    },
    readOutput: outputs.read,
    async dispose() {
      disposed = true;
      await Promise.allSettled([...running].map((child) => child.kill()));
    },
  };
}
