/** Handle of a pending timer; give it back to `clear`. */
export type Timer = { readonly unref?: () => void };

/** Where time comes from. Tests use a virtual one, so that a five-minute timeout is a millisecond. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `fn` once, `ms` milliseconds from now. The timer keeps the process alive unless `clear`ed. */
  after(ms: number, fn: () => void): Timer;
  clear(timer: Timer): void;
}

declare const setTimeout: (fn: () => void, ms: number) => Timer;
declare const clearTimeout: (timer: Timer) => void;

/** A longer delay would fire at once, so it is cut to the longest that timers take (24.8 days). */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, fn) => setTimeout(fn, Math.min(Math.max(0, ms), LONGEST_DELAY_MS)),
  clear: (timer) => clearTimeout(timer),
};
