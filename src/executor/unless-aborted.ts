import { onAbort } from '../core/index.ts';

/** The value, or undefined as soon as the signal is aborted; what comes of the work afterwards is dropped. */
export function unlessAborted<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const off = onAbort(signal, () => resolve(undefined));
    work.then(resolve, reject).finally(off);
  });
}
