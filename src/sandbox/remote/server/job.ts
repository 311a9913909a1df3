import {
  type Clock,
  type OutputStream,
  type ProcessExit,
  type Sandbox,
  type SandboxProcess,
  ToolwrightError,
} from '../../../core/index.ts';
import { fromErrno } from '../../file-error.ts';
import type { StartRequest } from '../protocol.ts';
import { createLease, type Lease } from './lease.ts';
import { createOutputOrder, type Offsets } from './output-order.ts';
import { createSpool, type Spool } from './spool.ts';

export interface JobOptions {
  readonly sandbox: Sandbox;
  readonly request: StartRequest;
  /** What the names of the files with its output begin with. */
  readonly path: string;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** Of one stream: how far a command may be ahead of who follows it, or how much of its end is kept. */
  readonly spoolBytes: number;
}

/** How a command ended, or why nobody can tell. */
export type JobEnd = { readonly exit: ProcessExit } | { readonly error: unknown };

/** A command of a client's, with what it wrote. */
export interface Job {
  readonly request: StartRequest;
  readonly spoolBytes: number;
  readonly end: JobEnd | undefined;
  /** Bytes of output that are kept. */
  readonly kept: number;
  /** Next piece of output from there on, in the order it came; undefined when there is none for now. */
  next(offsets: Offsets, from: { run: number }): Promise<{ stream: OutputStream; bytes: Uint8Array } | undefined>;
  read(stream: OutputStream, offset: number, max: number): Promise<{ bytes: Uint8Array; next: number }>;
  /** The follower has all bytes before these places. */
  taken(offsets: Offsets): void;
  /** Calls `fn` at new output and at the end; gives how to stop that. */
  onChange(fn: () => void): () => void;
  /** Somebody asked for it. */
  renew(): void;
  kill(): Promise<void>;
  /** Forgets the output. */
  close(): Promise<void>;
}

const PIECE_BYTES = 65_536;

export async function startJob(options: JobOptions): Promise<Job> {
  const { sandbox, request, clock, spoolBytes } = options;
  const spool = (stream: OutputStream) => createSpool({ path: `${options.path}.${stream}` });
  const spools: Record<OutputStream, Spool> = { stdout: spool('stdout'), stderr: spool('stderr') };
  const order = createOutputOrder();
  const listeners = new Set<() => void>();
  const taken: Offsets = { stdout: 0, stderr: 0 };
  let end: JobEnd | undefined;
  let closed = false;
  let waiting: (() => void)[] = [];

  const tell = () => {
    for (const fn of [...listeners]) fn();
  };
  const makeRoom = () => {
    const all = waiting;
    waiting = [];
    for (const go of all) go();
  };
  const untilRoom = async (stream: OutputStream): Promise<void> => {
    while (!closed && spools[stream].end - taken[stream] >= spoolBytes) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const onOutput = async (bytes: Uint8Array, stream: OutputStream): Promise<void> => {
    const stored = spools[stream].add(bytes);
    order.note(stream, spools[stream].end);
    tell();
    await stored.catch((error) => {
      throw fromErrno(options.path, error);
    });
    if (request.follow) return untilRoom(stream);
    await spools[stream].drop(spools[stream].end - spoolBytes);
  };

  const { cwd, env } = request;
  const child: SandboxProcess = await sandbox.start(request.argv ?? request.command ?? '', {
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    onOutput,
  });
  const finish = (how: JobEnd) => {
    lease.stop();
    end ??= how;
    tell();
  };
  const close = async () => {
    closed = true;
    finish({ error: gone(request.id) });
    makeRoom();
    await Promise.all([spools.stdout.close(), spools.stderr.close()]);
  };
  const lease: Lease = createLease(clock, options.leaseMs, () => {
    void close().catch(() => {});
    child.kill().catch(() => {});
  });
  void child.wait().then(
    (exit) => finish({ exit }),
    (error) => finish({ error }),
  );

  return {
    request,
    spoolBytes,
    get end() {
      return end;
    },
    get kept() {
      return spools.stdout.end - spools.stdout.start + spools.stderr.end - spools.stderr.start;
    },
    async next(offsets, from) {
      const run = order.next(offsets, from);
      if (!run) return undefined;
      const at = offsets[run.stream];
      if (closed || at < spools[run.stream].start) throw gone(request.id);
      const { bytes } = await spools[run.stream].read(at, Math.min(PIECE_BYTES, run.end - at));
      return { stream: run.stream, bytes };
    },
    async read(stream, offset, max) {
      if (closed) throw gone(request.id);
      return spools[stream].read(offset, max);
    },
    taken(offsets) {
      for (const stream of ['stdout', 'stderr'] as const) {
        taken[stream] = Math.max(taken[stream], offsets[stream]);
        if (request.follow) void spools[stream].drop(taken[stream]).catch(() => {});
      }
      makeRoom();
    },
    onChange(fn) {
      listeners.add(fn);
      return () => listeners.delete(fn);
    },
    renew: lease.renew,
    kill: () => child.kill(),
    close,
  };
}

const gone = (id: string) =>
  new ToolwrightError('expired', `The output of command ${id} is not kept any more.`, {
    hint: 'A command that nobody asks for is ended after a while, and its output goes with it.',
    data: { reason: 'output_gone' },
  });
