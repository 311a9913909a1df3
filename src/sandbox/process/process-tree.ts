import type { Clock } from '../../core/index.ts';
import { allIgnoreTerm, findMembers } from './process-table.ts';

/** From TERM to KILL, for those who tidy up. */
const GRACE_MS = 2_000;
/** … and for those of whom every one ignores TERM. */
const DEAF_MS = 200;
/** After KILL; a process in an uninterruptible wait of the kernel outlasts it. */
const LAST_MS = 3_000;
/** The end of processes that are not our children is told by nobody, so they are looked for at growing distances. */
const FIRST_LOOK_MS = 10;
const LONGEST_LOOK_MS = 100;

export interface ProcessTree {
  /** True when something of the task lives on; asked after the main process has ended. */
  hasStrays(): Promise<boolean>;
  /**
   * TERM, two seconds, KILL; the seconds are spared where all that is left ignores TERM. Resolves when nothing is
   * left, or when nothing more can be done.
   */
  end(): Promise<void>;
}

export interface TreeOptions {
  readonly id: string;
  /** The main process; absent when it is nobody's child any more: then its mark alone tells what is left of it. */
  readonly pid?: number;
  readonly exited: Promise<unknown>;
  readonly clock: Clock;
}

/** A main process and all that came from it. */
export function createProcessTree({ id, pid, exited, clock }: TreeOptions): ProcessTree {
  let running = pid !== undefined;
  let ownsGroup = pid !== undefined;
  void exited.then(() => {
    running = false;
  });

  const members = async (youngerOnly = false): Promise<readonly number[]> => {
    const after = !running;
    const found = (await findMembers({ id, pid: pid ?? 0, ownsGroup }, youngerOnly)) ?? groupOnly();
    if (after && !youngerOnly && found.length === 0) ownsGroup = false;
    return found;
  };
  const groupOnly = () => (pid !== undefined && ownsGroup && signal(-pid, 0) ? [-pid] : []);

  const signalAll = async (name: NodeJS.Signals): Promise<boolean> => {
    const found = await members();
    // The group at once, so that no member forks between two of our signals.
    if (pid !== undefined && ownsGroup && (running || found.length > 0)) signal(-pid, name);
    for (const member of found) signal(member, name);
    return running || found.length > 0;
  };
  const lookUntil = async (limitMs: number, look: (spent: number) => Promise<boolean>): Promise<void> => {
    const began = clock.now();
    for (let step = FIRST_LOOK_MS; ; step = Math.min(step * 2, LONGEST_LOOK_MS)) {
      await pause(step);
      const spent = clock.now() - began;
      if (spent >= limitMs || (await look(spent))) return;
    }
  };
  /** True when it is over, or when waiting longer is of no use. */
  const heardTerm = async (spent: number): Promise<boolean> => {
    const left = await members();
    if (left.length === 0) return !running;
    return spent >= DEAF_MS && left.every((pid) => pid > 0) && allIgnoreTerm(left);
  };
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = clock.after(ms, resolve);
      if (!running) return;
      void exited.then(() => {
        clock.clear(timer);
        resolve();
      });
    });

  return {
    hasStrays: async () => (await members(true)).length > 0,
    async end() {
      if (!(await signalAll('SIGTERM'))) return;
      // A stopped process does not hear TERM before it goes on.
      await signalAll('SIGCONT');
      await lookUntil(GRACE_MS, heardTerm);
      if (await signalAll('SIGKILL')) await lookUntil(LAST_MS, async () => !(await signalAll('SIGKILL')));
    },
  };
}

/** False when there was nothing to signal. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
