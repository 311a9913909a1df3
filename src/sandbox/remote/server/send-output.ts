import type { ServerResponse } from 'node:http';
import type { Clock, OutputStream } from '../../../core/index.ts';
import { BEAT_MS, errorToText, FRAME, frameHead } from '../protocol.ts';
import type { Job } from './job.ts';
import type { Offsets } from './output-order.ts';

/** One response goes on for so long at the most … */
const LONGEST_MS = 20_000;
/** … and has so much output: what was sent counts as taken only when the client asks for what follows. */
const MOST_BYTES = 32 * 1_048_576;

export interface SendOptions {
  readonly job: Job;
  readonly response: ServerResponse;
  /** Where the follower is; absent when it wants nothing but the end. */
  readonly offsets: Offsets | undefined;
  readonly clock: Clock;
  readonly started: boolean;
}

/** Sends a command's output as it comes, and its end. Resolves when the response is over, however that came. */
export async function sendOutput({ job, response, offsets, clock, started }: SendOptions): Promise<void> {
  const until = clock.now() + LONGEST_MS;
  // A command that is held back goes on only when something was taken.
  const most = Math.min(MOST_BYTES, job.spoolBytes / 4);
  const from = { run: 0 };
  let at = offsets;
  let sent = 0;
  const gone = () => response.destroyed || response.writableEnded;
  const frame = (kind: number, body: Uint8Array): boolean => {
    response.cork();
    response.write(frameHead(kind, body.byteLength));
    const fits = body.byteLength === 0 || response.write(body);
    response.uncork();
    return fits;
  };
  const finish = (kind: number, body: unknown) => {
    frame(kind, body === undefined ? NOTHING : Buffer.from(JSON.stringify(body)));
    response.end();
  };

  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  if (started) frame(FRAME.started, NOTHING);
  else response.flushHeaders();
  while (!gone()) {
    const changed = nextChange(job, response, clock);
    try {
      // Asked for before the pieces: a command that has ended writes nothing more.
      const end = job.end;
      const piece = at === undefined ? undefined : await job.next(at, from);
      if (at && piece) {
        at = { ...at, [piece.stream]: at[piece.stream] + piece.bytes.byteLength };
        sent += piece.bytes.byteLength;
        if (!frame(kindOf(piece.stream), piece.bytes)) await drained(response);
      } else if (end) {
        return finish(FRAME.end, 'exit' in end ? end : { error: errorToText(end.error) });
      } else if (clock.now() < until) {
        await changed.promise;
        if (changed.quiet) frame(FRAME.beat, NOTHING);
      }
      if (sent >= most || (!piece && clock.now() >= until)) return finish(FRAME.again, undefined);
    } catch (error) {
      return finish(FRAME.end, { error: errorToText(error) });
    } finally {
      changed.stop();
    }
  }
}

const NOTHING = new Uint8Array();
const kindOf = (stream: OutputStream) => (stream === 'stdout' ? FRAME.stdout : FRAME.stderr);

/** Resolves at new output, the end, the client's going, or after a time in which nothing happened. */
function nextChange(job: Job, response: ServerResponse, clock: Clock) {
  let wake = () => {};
  const change = {
    quiet: false,
    promise: new Promise<void>((resolve) => {
      wake = resolve;
    }),
    stop() {
      off();
      response.off('close', wake);
      clock.clear(timer);
    },
  };
  const off = job.onChange(wake);
  response.once('close', wake);
  const timer = clock.after(BEAT_MS, () => {
    change.quiet = true;
    wake();
  });
  return change;
}

function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}
