import { type Clock, type OutputStream, type Sandbox, ToolwrightError } from '../../core/index.ts';
import { longestOverlap } from './longest-overlap.ts';

const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 200;
const READ_BYTES = 262_144;
/** A tail this long is compared with the one before it. */
const TAIL_BYTES = 65_536;
/** A line that is cut is tried again for this long. */
const RETRY_MS = 60_000;

export interface FollowOptions {
  readonly sandbox: Pick<Sandbox, 'readOutput' | 'tailOutput' | 'capabilities'>;
  readonly id: string;
  readonly exited: Promise<unknown>;
  readonly clock: Clock;
  readonly deliver: (bytes: Uint8Array, stream: OutputStream) => Promise<void>;
}

/**
 * Reads a process's kept output to its end, from a sandbox that does not push it: by byte offset, so that nothing
 * comes twice and nothing is left out, or by comparing tails where it has no offsets. Resolves after the exit and
 * the last byte. A read that fails is tried again for a minute, since the process may be on another machine.
 */
export async function followOutput({ sandbox, id, exited, clock, deliver }: FollowOptions): Promise<void> {
  let over = false;
  let wake = () => {};
  const leave = () => {
    over = true;
    wake();
  };
  exited.then(leave, leave);
  const readers = (['stdout', 'stderr'] as const).map((stream) => ({
    stream,
    more: createReader(sandbox, id, stream),
  }));
  let pause = FIRST_PAUSE_MS;
  let failingSince: number | undefined;
  for (;;) {
    const last = over;
    let got = false;
    let failed = false;
    for (const { stream, more } of readers) {
      for (;;) {
        let bytes: Uint8Array;
        try {
          bytes = await more();
          failingSince = undefined;
        } catch (error) {
          failingSince ??= clock.now();
          if (clock.now() - failingSince >= RETRY_MS) throw error;
          failed = true;
          break;
        }
        if (bytes.byteLength === 0) break;
        got = true;
        await deliver(bytes, stream);
      }
    }
    if (last && !failed) return;
    if (over && !failed) continue;
    pause = got ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
    await new Promise<void>((resolve) => {
      const timer = clock.after(pause, resolve);
      if (over) return;
      wake = () => {
        clock.clear(timer);
        resolve();
      };
    });
  }
}

/** Gives the next bytes at each call, none when there are none yet. */
function createReader(sandbox: FollowOptions['sandbox'], id: string, stream: OutputStream): () => Promise<Uint8Array> {
  if (sandbox.capabilities.rangeReads && sandbox.readOutput) {
    const read = sandbox.readOutput.bind(sandbox);
    let offset = 0;
    return async () => {
      const { bytes, next } = await read(id, stream, offset, READ_BYTES);
      offset = next;
      return bytes;
    };
  }
  if (sandbox.tailOutput) {
    const tail = sandbox.tailOutput.bind(sandbox);
    let before: Uint8Array = new Uint8Array();
    return async () => {
      const now = await tail(id, stream, TAIL_BYTES);
      const fresh = now.subarray(longestOverlap(before, now));
      before = now;
      return fresh;
    };
  }
  throw new ToolwrightError('unavailable', 'This sandbox gives no way to read what a command prints.');
}
