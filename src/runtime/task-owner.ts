import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { TaskOwner } from '../store/index.ts';

/** This process, as a row names it. */
export function taskOwner(): TaskOwner {
  return { host: hostname(), pid: process.pid, startedAt: startOf(process.pid) };
}

/** False only when it is certain: the machine has been started anew, or the process is of this host and gone. */
export function mayLive({ host, pid, startedAt }: TaskOwner): boolean {
  if (startedAt !== null && bootOf(startedAt) !== bootOf(startOf(process.pid) ?? startedAt)) return false;
  if (!isHere({ host })) return true;
  if (startedAt !== null) return startOf(pid) === startedAt;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export const isHere = ({ host }: Pick<TaskOwner, 'host'>): boolean => host === hostname();

const bootOf = (startedAt: string) => startedAt.split(' ')[0];

/** The boot, and ticks after it (field 22 of /proc/PID/stat); null for what has ended, and without a /proc. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${boot} ${fields[19]}`;
  } catch {
    return null;
  }
}
