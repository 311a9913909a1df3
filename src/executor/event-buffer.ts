import type { EventBody } from '../core/index.ts';

/** Events of an execution for whoever iterates over it: kept until read, ended once. */
export interface EventBuffer extends AsyncIterable<EventBody> {
  push(event: EventBody): void;
  end(): void;
}

export function createEventBuffer(): EventBuffer {
  let events: EventBody[] = [];
  let next = 0;
  let ended = false;
  let wake: (() => void) | undefined;
  const notify = () => {
    wake?.();
    wake = undefined;
  };
  return {
    push(event) {
      events.push(event);
      notify();
    },
    end() {
      ended = true;
      notify();
    },
    [Symbol.asyncIterator]() {
      return {
        async next() {
          for (;;) {
            if (next < events.length) {
              const value = events[next++] as EventBody;
              if (next === events.length) {
                events = [];
                next = 0;
              }
              return { done: false, value };
            }
            if (ended) return { done: true, value: undefined };
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        },
      };
    },
  };
}
