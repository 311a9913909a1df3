import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../core/index.ts';

/** A control group of the kernel that bounds how many processes a sandbox has. */
export interface ProcessCage {
  /** The command, begun inside. */
  enter(command: readonly string[]): string[];
  /** Ends what is left inside and takes the group away; a process that is still ending is waited for, seconds at most. */
  close(): Promise<void>;
}

/** The end of processes that are not our children is told by nobody, so it is looked for at growing distances. */
const FIRST_LOOK_MS = 5;
const LONGEST_LOOK_MS = 100;
const LONGEST_CLOSE_MS = 3_000;

const MOUNT = '/sys/fs/cgroup';

/**
 * For root, whom the kernel exempts from the limit of processes that others have. Undefined where this machine
 * gives no control group for it.
 */
export async function openProcessCage(name: string, processes: number, clock: Clock): Promise<ProcessCage | undefined> {
  const own = await readFile('/proc/self/cgroup', 'utf8').catch(() => '');
  for (const parent of parentsOf(own)) {
    const folder = join(parent, `toolwright-${name}`);
    try {
      await mkdir(folder);
    } catch {
      continue;
    }
    try {
      await writeFile(join(folder, 'pids.max'), String(processes));
      return {
        enter: (command) => [
          ...['bash', '-c', 'echo $$ > "$1" && shift && exec "$@"', 'cage', join(folder, 'cgroup.procs')],
          ...command,
        ],
        close: () => removeGroup(folder, clock),
      };
    } catch {
      await rmdir(folder).catch(() => {});
    }
  }
  return undefined;
}

async function removeGroup(folder: string, clock: Clock): Promise<void> {
  const end = clock.now() + LONGEST_CLOSE_MS;
  for (let step = FIRST_LOOK_MS; ; step = Math.min(step * 2, LONGEST_LOOK_MS)) {
    const left = await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(() => '');
    for (const pid of left.split('\n').filter((line) => /^[1-9]\d*$/.test(line))) endProcess(Number(pid));
    const gone = await rmdir(folder).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    );
    if (gone || clock.now() >= end) return;
    await new Promise<void>((resolve) => void clock.after(step, resolve));
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Our own group's place in the old hierarchy of pids, then the new one's, upwards: only some groups take children. */
function parentsOf(own: string): string[] {
  const lines = own.split('\n').map((line) => line.split(':'));
  const old = lines.find(([, controllers]) => controllers?.split(',').includes('pids'))?.[2];
  const modern = lines.find(([id, controllers]) => id === '0' && controllers === '')?.[2];
  const parents = old === undefined ? [] : [join(MOUNT, 'pids', old)];
  for (let at = modern; at !== undefined; at = at === '/' ? undefined : dirname(at)) parents.push(join(MOUNT, at));
  return parents;
}
