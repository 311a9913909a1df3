import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { TaskOwner } from '../store/index.ts';

/** This process, as a row names it. */
export function taskOwner(): TaskOwner {
  return { host: hostname(), pid: process.pid, startedAt: startOf(process.pid) };
}

/** False only when it is certain: the process is of this host, and it is gone or another has its number. */
export function mayLive({ host, pid, startedAt }: TaskOwner): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return startedAt === null || startOf(pid) === startedAt;
}

/** Ticks after the boot, and the boot: field 22 of /proc/PID/stat. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${boot} ${ticks}`;
  } catch {
    return null;
  }
}
