import { readdir, readFile } from 'node:fs/promises';

/** Where every child carries the id of the task that it belongs to. */
export const TASK_VARIABLE = 'TOOLWRIGHT_TASK';

interface Entry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly marked: boolean;
}

export interface TaskOfProcesses {
  readonly id: string;
  /** Its main process: leader of the group and of the session. */
  readonly pid: number;
  /** False once the group was seen empty: its number may since belong to somebody else. */
  readonly ownsGroup: boolean;
}

/**
 * The living processes of a task, the main one among them while it lives: those of its group and session, those
 * that carry its id in their environment whatever session they moved to, and children of these. Undefined where the
 * host has no /proc. With `youngerOnly` just those with a greater number than the main one are looked at, which is
 * all that can have come from it until the numbers run round.
 */
export async function findMembers(task: TaskOfProcesses, youngerOnly = false): Promise<number[] | undefined> {
  let names: string[];
  try {
    names = await readdir('/proc');
  } catch {
    return undefined;
  }
  if (names.length === 0) return undefined;
  const marker = `${TASK_VARIABLE}=${task.id}\0`;
  const entries: Entry[] = [];
  for (const name of names) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || (youngerOnly && pid < task.pid)) continue;
    const entry = await readEntry(pid, marker);
    if (entry) entries.push(entry);
  }
  const isOwn = (entry: Entry) =>
    entry.marked || (task.ownsGroup && (entry.group === task.pid || entry.session === task.pid));
  const members = new Set(entries.filter(isOwn).map((entry) => entry.pid));
  for (let size = -1; size !== members.size; ) {
    size = members.size;
    for (const entry of entries) if (members.has(entry.parent)) members.add(entry.pid);
  }
  return [...members];
}

/** Undefined for what has ended, what only waits to be reaped, and what is somebody else's to look into. */
async function readEntry(pid: number, marker: string): Promise<Entry | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The name stands in parentheses and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group, session] = fields;
    if (state === 'Z' || state === 'X') return undefined;
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    const marked = environment.startsWith(marker) || environment.includes(`\0${marker}`);
    return { pid, parent: Number(parent), group: Number(group), session: Number(session), marked };
  } catch {
    return undefined;
  }
}
