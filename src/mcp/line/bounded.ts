import type { Clock } from '../../core/index.ts';

/** The promise's outcome, or the error once the time is over; `onLate` then ends the work. */
export function bounded<Value>(
  clock: Clock,
  ms: number,
  work: Promise<Value>,
  late: () => Error,
  onLate: () => void = () => {},
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => {
      reject(late());
      onLate();
    });
    work.then(resolve, reject).finally(() => clock.clear(timer));
  });
}
