import type { RawToolCall } from '../core/index.ts';

/** Calls on their way to the executor, given as they are complete. */
export interface CallFeed extends AsyncIterable<RawToolCall> {
  push(call: RawToolCall): void;
  end(): void;
}

export function createCallFeed(): CallFeed {
  const waiting: RawToolCall[] = [];
  let ended = false;
  let wake: (() => void) | undefined;
  const notify = () => {
    wake?.();
    wake = undefined;
  };
  return {
    push(call) {
      waiting.push(call);
      notify();
    },
    end() {
      ended = true;
      notify();
    },
    [Symbol.asyncIterator]: () => ({
      async next() {
        for (;;) {
          const value = waiting.shift();
          if (value !== undefined) return { done: false, value };
          if (ended) return { done: true, value: undefined };
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      },
    }),
  };
}
