import type { Clock, Timer } from '../../../core/index.ts';

/** Ends something that has not been heard of for a time. */
export interface Lease {
  /** Somebody asked for it. */
  renew(): void;
  stop(): void;
}

/** One timer at a time; a renewal only notes when it was. */
export function createLease(clock: Clock, ms: number, onExpired: () => void): Lease {
  let heard = clock.now();
  let timer: Timer | undefined;
  const wait = (left: number) => {
    timer = clock.after(left, () => {
      const rest = heard + ms - clock.now();
      if (rest > 0) return wait(rest);
      timer = undefined;
      onExpired();
    });
    timer.unref?.();
  };
  wait(ms);
  return {
    renew() {
      heard = clock.now();
    },
    stop() {
      if (timer !== undefined) clock.clear(timer);
      timer = undefined;
    },
  };
}
