import { createHash } from 'node:crypto';
import { type Clock, type NewId, type Root, type Roots, type Sandbox, ToolwrightError } from '../../../core/index.ts';
import type { StartRequest } from '../protocol.ts';
import { type Job, startJob } from './job.ts';
import { createLease } from './lease.ts';
import type { ServerLimits } from './limits.ts';

/** Makes a session's sandbox and the judge of its paths, on this machine. */
export type FarSandboxFactory = (options: {
  readonly cwd: string;
  readonly roots: readonly Root[];
  readonly clock: Clock;
  readonly newId: NewId;
}) => Promise<{ readonly sandbox: Sandbox; readonly roots: Roots }>;

export interface FarSession {
  readonly id: string;
  readonly sandbox: Sandbox;
  readonly roots: Roots;
  /** Any request of its owner. */
  renew(): void;
  /** The same id gives the same command, started once. */
  start(request: StartRequest): Promise<Job>;
  job(id: string): Promise<Job>;
  /** Does it once for each id, however often it is asked for. */
  once<Value>(id: string, work: () => Promise<Value>): Promise<Value>;
  /** Ends all that runs in it. */
  close(): Promise<void>;
}

export interface FarSessionOptions {
  readonly id: string;
  readonly sandbox: Sandbox;
  readonly roots: Roots;
  /** What the names of the files with commands' output begin with. */
  readonly path: string;
  readonly clock: Clock;
  readonly limits: ServerLimits;
  readonly onExpired: () => void;
}

/** Ids of changes and commands that are remembered, so that one that is asked for again is not done again. */
const MOST_ONCE = 1_024;
const MOST_IDS = 65_536;
/** Ended commands whose output is kept. */
const MOST_ENDED = 32;
/** For a command that was ended with its session to deliver its last output. */
const LAST_WORDS_MS = 1_500;

export function createFarSession(options: FarSessionOptions): FarSession {
  const { id, sandbox, roots, clock, limits } = options;
  const jobs = new Map<string, { readonly print: string; readonly job: Promise<Job> }>();
  const used = new Set<string>();
  const done = new Map<string, Promise<unknown>>();
  let ended: { readonly id: string; readonly job: Job }[] = [];
  let running = 0;
  let count = 0;
  let closing: Promise<void> | undefined;
  const lease = createLease(clock, limits.leaseMs, () => (running > 0 ? lease.renew() : options.onExpired()));

  const forgetOldest = () => {
    let kept = ended.reduce((sum, { job }) => sum + job.kept, 0);
    while (ended.length > MOST_ENDED || (kept > limits.mostKeptBytes && ended.length > 1)) {
      const [oldest, ...others] = ended;
      if (!oldest) return;
      kept -= oldest.job.kept;
      ended = others;
      // What it left running can still be ended.
      if (!(oldest.job.end && 'exit' in oldest.job.end && oldest.job.end.exit.leftChildren)) jobs.delete(oldest.id);
      void oldest.job.close().catch(() => {});
    }
  };
  const begin = async (request: StartRequest): Promise<Job> => {
    running++;
    const path = `${options.path}-${count++}`;
    const { leaseMs, spoolBytes } = limits;
    try {
      const job = await startJob({ sandbox, request, path, clock, leaseMs, spoolBytes });
      const look = () => {
        if (!job.end) return;
        off();
        running--;
        ended.push({ id: request.id, job });
        forgetOldest();
      };
      const off = job.onChange(look);
      look();
      return job;
    } catch (error) {
      // Nothing has begun: the same request may be made again.
      running--;
      jobs.delete(request.id);
      used.delete(request.id);
      throw error;
    }
  };

  return {
    id,
    sandbox,
    roots,
    renew: lease.renew,
    async start(request) {
      const known = jobs.get(request.id);
      const print = printOf(request);
      if (known) {
        if (known.print === print) return known.job;
        throw new ToolwrightError('conflict', `The id ${request.id} belongs to another command.`);
      }
      if (used.has(request.id)) throw forgotten(request.id);
      if (closing) throw new ToolwrightError('unavailable', 'The session is being closed.');
      if (running >= limits.mostProcesses) {
        throw new ToolwrightError('too_many', `${running} commands run in this session, which is the most.`, {
          hint: 'Wait for one to end, or end one.',
          retryable: true,
        });
      }
      if (used.size >= MOST_IDS) used.delete(used.values().next().value as string);
      used.add(request.id);
      const job = begin(request);
      jobs.set(request.id, { print, job });
      return job;
    },
    async job(jobId) {
      const known = jobs.get(jobId);
      if (known) return known.job;
      throw used.has(jobId) ? forgotten(jobId) : unknownJob(jobId);
    },
    once(key, work) {
      const known = done.get(key);
      if (known) return known as Promise<never>;
      const mine = work();
      mine.catch(() => {});
      done.set(key, mine);
      if (done.size > MOST_ONCE) done.delete(done.keys().next().value as string);
      return mine;
    },
    close() {
      closing ??= (async () => {
        lease.stop();
        await Promise.allSettled([...jobs.values()].map(({ job }) => job));
        await sandbox.dispose();
        // Who follows a command is told how it ended, unless its output is held up by nobody's reading it.
        const all = await Promise.all([...jobs.values()].map(({ job }) => job));
        await Promise.all(all.map((job) => untilEnd(job, clock)));
        await Promise.allSettled(all.map((job) => job.close()));
      })();
      return closing;
    },
  };
}

function untilEnd(job: Job, clock: Clock): Promise<void> {
  if (job.end) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      off();
      clock.clear(timer);
      resolve();
    };
    const timer = clock.after(LAST_WORDS_MS, finish);
    const off = job.onChange(() => job.end && finish());
  });
}

const printOf = (request: StartRequest) => createHash('sha256').update(JSON.stringify(request)).digest('base64');

const unknownJob = (id: string) =>
  new ToolwrightError('not_found', `There is no command ${id} in this session.`, { data: { reason: 'no_command' } });

const forgotten = (id: string) =>
  new ToolwrightError('expired', `Command ${id} has ended, and its output is not kept any more.`, {
    data: { reason: 'output_gone' },
  });
