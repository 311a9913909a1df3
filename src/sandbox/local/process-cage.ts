import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A control group of the kernel that bounds how many processes a sandbox has. */
export interface ProcessCage {
  /** The command, begun inside. */
  enter(command: readonly string[]): string[];
  close(): Promise<void>;
}

const MOUNT = '/sys/fs/cgroup';

/**
 * For root, whom the kernel exempts from the limit of processes that others have. Undefined where this machine
 * gives no control group for it.
 */
export async function openProcessCage(name: string, processes: number): Promise<ProcessCage | undefined> {
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
        close: () => rmdir(folder).catch(() => {}),
      };
    } catch {
      await rmdir(folder).catch(() => {});
    }
  }
  return undefined;
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
