/** What the consumer of an event queue makes happen at its source. */
export interface QueueSource {
  /** The first event was asked for. */
  start(): void;
  /** More is held than should be: stop reading. */
  pause(): void;
  /** The consumer has caught up: read on. */
  resume(): void;
  /** The consumer has left before the end. */
  cancel(): void;
}

/** Events from a source that pushes to a consumer that pulls; single use. */
export interface EventQueue<T> extends AsyncIterableIterator<T> {
  push(events: readonly T[]): void;
  /** The last event; what is pushed afterwards is dropped. */
  end(last: T): void;
}

const HIGH_WATER = 256;
const LOW_WATER = 32;

/**
 * A bounded queue with a hand-written iterator: events that are there are given without waiting, and
 * the source is paused while more than 256 are held.
 */
export function createEventQueue<T>(source: QueueSource): EventQueue<T> {
  let held: T[] = [];
  let head = 0;
  let started = false;
  let ended = false;
  let paused = false;
  const waiting: ((result: IteratorResult<T>) => void)[] = [];
  const done: IteratorResult<T> = { value: undefined, done: true };

  const push = (events: readonly T[]) => {
    let from = 0;
    while (waiting.length > 0 && from < events.length) waiting.shift()?.({ value: events[from++] as T, done: false });
    for (; from < events.length; from++) held.push(events[from] as T);
    if (!paused && !ended && held.length - head > HIGH_WATER) {
      paused = true;
      source.pause();
    }
  };
  const stop = () => {
    const left = !ended;
    ended = true;
    held = [];
    head = 0;
    for (const resolve of waiting.splice(0)) resolve(done);
    if (left) source.cancel();
    return Promise.resolve(done);
  };

  return {
    push(events) {
      if (!ended) push(events);
    },
    end(last) {
      if (ended) return;
      ended = true;
      push([last]);
      for (const resolve of waiting.splice(0)) resolve(done);
    },
    next() {
      if (!started) {
        started = true;
        if (!ended) source.start();
      }
      if (head < held.length) {
        const value = held[head++] as T;
        if (head === held.length || head > 4 * HIGH_WATER) {
          held = held.slice(head);
          head = 0;
        }
        if (paused && held.length - head <= LOW_WATER) {
          paused = false;
          if (!ended) source.resume();
        }
        return Promise.resolve({ value, done: false });
      }
      if (ended) return Promise.resolve(done);
      return new Promise((resolve) => void waiting.push(resolve));
    },
    return: stop,
    throw(error) {
      void stop();
      return Promise.reject(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
