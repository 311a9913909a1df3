import { readdirSync, readFileSync } from 'node:fs';

/** Where every child carries the id of the task that it belongs to. */
export const TASK_VARIABLE = 'TOOLWRIGHT_TASK';

/** Read at once, which takes about 3 ms: /proc answers from memory, and a flooded loop would make each single read wait. */
const AT_ONCE = 100;

const TERM_BIT = 1n << 14n;

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
    names = readdirSync('/proc');
  } catch {
    return undefined;
  }
  if (names.length === 0) return undefined;
  const marker = `${TASK_VARIABLE}=${task.id}\0`;
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && !(youngerOnly && pid < task.pid));
  const entries: Entry[] = [];
  for (const [index, pid] of pids.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve));
    const entry = readEntry(pid, marker);
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

/**
 * Whether signal 15 would be thrown away by every one of these processes: they ignore it, so that none of them will
 * end by it, nor tidies up because of it. False where there is no telling.
 */
export function allIgnoreTerm(pids: readonly number[]): boolean {
  return pids.every((pid) => {
    const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readText(`/proc/${pid}/status`) ?? '')?.[1];
    return mask !== undefined && (BigInt(`0x${mask}`) & TERM_BIT) !== 0n;
  });
}

/** Undefined for what has ended and for what only waits to be reaped. */
function readEntry(pid: number, marker: string): Entry | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The name stands in parentheses and may hold anything.
  const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  const environment = readText(`/proc/${pid}/environ`) ?? '';
  const marked = environment.startsWith(marker) || environment.includes(`\0${marker}`);
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), marked };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
