/** A bounded number of places, given out in the order of asking. */
export interface Slots {
  /** Calls `start` as soon as a place is free (at once when one is). Gives how to leave the queue. */
  take(start: () => void): () => void;
  /** Gives a place back. */
  free(): void;
}

export function createSlots(count: number): Slots {
  const waiting = new Set<() => void>();
  let free = count;
  return {
    take(start) {
      if (free > 0) {
        free--;
        start();
        return () => {};
      }
      waiting.add(start);
      return () => void waiting.delete(start);
    },
    free() {
      const [next] = waiting;
      if (next === undefined) {
        free++;
        return;
      }
      waiting.delete(next);
      next();
    },
  };
}
