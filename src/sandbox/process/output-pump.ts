import type { Readable } from 'node:stream';
import type { Clock, OutputStream, Timer } from '../../core/index.ts';

/** A quiet moment of this length after the exit means that what was pending has been read. */
const QUIET_MS = 50;
/** A child that goes on writing is listened to for this long when all that can have been pending was read … */
const NOISY_MS = 200;
const MOST_PENDING_BYTES = 1_048_576;
/** … and for this long in any case. */
const LONGEST_MS = 1_000;

/** Takes bytes; a promise that it gives holds its stream back until it resolves. */
export type Deliver = (bytes: Uint8Array, stream: OutputStream) => unknown;

export interface OutputPump {
  /** After the exit: resolves when the output was read that the process itself had written. Nothing is delivered from then on. */
  drain(): Promise<void>;
  /** What `deliver` threw. */
  readonly fault: { readonly error: unknown } | undefined;
}

/** Reads both streams as fast as they are taken. `onFault` is told once when `deliver` fails. */
export function pumpOutput(
  streams: Readonly<Record<OutputStream, Readable>>,
  deliver: Deliver,
  clock: Clock,
  onFault: () => void,
): OutputPump {
  let open = 2;
  let held = 0;
  let reads = 0;
  let bytesRead = 0;
  let deaf = false;
  let fault: { error: unknown } | undefined;
  let changed = () => {};

  const fail = (error: unknown) => {
    if (fault) return;
    fault = { error };
    deaf = true;
    onFault();
  };
  const hold = (stream: Readable, until: PromiseLike<unknown>) => {
    held++;
    stream.pause();
    const release = () => {
      held--;
      stream.resume();
      changed();
    };
    until.then(release, (error) => {
      fail(error);
      release();
    });
  };
  const pump = (name: OutputStream, stream: Readable) => {
    stream.on('data', (bytes: Uint8Array) => {
      reads++;
      bytesRead += bytes.byteLength;
      if (deaf) return;
      try {
        const taken = deliver(bytes, name);
        if (isThenable(taken)) hold(stream, taken);
      } catch (error) {
        fail(error);
      }
    });
    stream.on('error', () => {});
    stream.once('close', () => {
      open--;
      changed();
    });
  };
  pump('stdout', streams.stdout);
  pump('stderr', streams.stderr);

  return {
    get fault() {
      return fault;
    },
    drain: () =>
      new Promise((resolve) => {
        let timer: Timer | undefined;
        let done = false;
        let spent = 0;
        const bytesBefore = bytesRead;
        const finish = () => {
          done = true;
          changed = () => {};
          if (timer) clock.clear(timer);
          deaf = true;
          for (const stream of [streams.stdout, streams.stderr]) letGo(stream);
          resolve();
        };
        const listen = () => {
          const seen = reads;
          const began = clock.now();
          timer = clock.after(QUIET_MS, () => {
            // The reads that were due at the same moment come first.
            setImmediate(() => {
              timer = undefined;
              if (done || held > 0) return;
              spent += Math.max(QUIET_MS, clock.now() - began);
              const enough = spent >= NOISY_MS && bytesRead - bytesBefore >= MOST_PENDING_BYTES;
              if (reads === seen || enough || spent >= LONGEST_MS) finish();
              else listen();
            });
          });
        };
        changed = () => {
          if (open === 0 && held === 0) finish();
          else if (held === 0 && !timer) listen();
        };
        changed();
      }),
  };
}

/** A child that still holds the pipe may write on: it is read into nothing, and keeps nobody waiting. */
function letGo(stream: Readable): void {
  stream.resume();
  (stream as Readable & { unref?: () => void }).unref?.();
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
