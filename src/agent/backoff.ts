import { type Clock, type ModelFault, onAbort } from '../core/index.ts';

export const RETRIES = 3;
const FIRST_MS = 500;
const LONGEST_MS = 60_000;

/** How long to wait before the attempt after `failures` failures: doubling, with jitter, and never less than the server asked for. */
export function backoffMs(failures: number, fault: ModelFault, random: () => number = Math.random): number {
  const own = FIRST_MS * 2 ** (failures - 1) * (0.75 + random() / 2);
  return Math.min(LONGEST_MS, Math.max(own, fault.retryAfterMs ?? 0));
}

/** Resolves after the time, or at once when the signal is aborted. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(ms, () => {
      off();
      resolve();
    });
    const off = onAbort(signal, () => {
      clock.clear(timer);
      resolve();
    });
  });
}
