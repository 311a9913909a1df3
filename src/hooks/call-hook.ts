import { type Clock, messageOf } from '../core/index.ts';

export type HookAnswer<Value> = { readonly value: Value } | { readonly failure: string };

/** What a hook says, or how it failed: it threw, or took longer than it may. A late answer is dropped. */
export function callHook<Value>(
  clock: Clock,
  ms: number,
  work: () => Value | Promise<Value>,
): Promise<HookAnswer<Value>> {
  return new Promise((resolve) => {
    const timer = clock.after(ms, () => resolve({ failure: `it took longer than ${ms} ms` }));
    const end = (answer: HookAnswer<Value>) => {
      clock.clear(timer);
      resolve(answer);
    };
    Promise.resolve()
      .then(work)
      .then(
        (value) => end({ value }),
        (error) => end({ failure: messageOf(error) }),
      );
  });
}
