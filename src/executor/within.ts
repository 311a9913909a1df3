import { type Clock, ToolwrightError } from '../core/index.ts';

/** The value, or ToolwrightError `internal` when it does not come in time; what comes later is dropped. */
export function within<Value>(clock: Clock, ms: number, what: string, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => reject(new ToolwrightError('internal', `${what} took longer than ${ms} ms`)));
    work.then(resolve, reject).finally(() => clock.clear(timer));
  });
}
