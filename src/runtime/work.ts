import { type Clock, onAbort } from '../core/index.ts';

/** The two signals of a run or a call: the first cancel lets calls finish that must, the second does not. */
export interface Work {
  readonly cancelSignal: AbortSignal;
  readonly forceSignal: AbortSignal;
  cancel(): void;
  /** Resolves with `end`. */
  readonly ended: Promise<void>;
  end(): void;
}

/** Aborting `signal` is the first cancel. */
export function createWork(signal: AbortSignal | undefined): Work {
  const cancelled = new AbortController();
  const forced = new AbortController();
  let resolve = () => {};
  const ended = new Promise<void>((done) => {
    resolve = done;
  });
  const cancel = () => {
    if (cancelled.signal.aborted) forced.abort(new Error('the run was cancelled twice'));
    else cancelled.abort(new Error('the run was cancelled'));
  };
  const detach = signal === undefined ? () => {} : onAbort(signal, cancel);
  return {
    cancelSignal: cancelled.signal,
    forceSignal: forced.signal,
    cancel,
    ended,
    end() {
      detach();
      resolve();
    },
  };
}

/** True when the promise settled within the time. */
export function within(promise: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = clock.after(ms, () => resolve(false));
    const done = () => {
      clock.clear(timer);
      resolve(true);
    };
    promise.then(done, done);
  });
}
