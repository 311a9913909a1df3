/** Newest durations that percentiles are made of. */
const KEPT = 512;

export interface Durations {
  readonly count: number;
  readonly sumMs: number;
  /** Of the newest 512; absent when there was none. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
}

/** Durations of one kind: counted and added for ever, percentiles over the newest ones. */
export function createSeries() {
  const newest: number[] = [];
  let count = 0;
  let sumMs = 0;
  return {
    add(ms: number): void {
      newest[count % KEPT] = ms;
      count++;
      sumMs += ms;
    },
    get count() {
      return count;
    },
    read(): Durations {
      const sorted = newest.toSorted((a, b) => a - b);
      const at = (part: number) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
      const [p50Ms, p95Ms] = [at(0.5), at(0.95)];
      return { count, sumMs, ...(p50Ms === undefined || p95Ms === undefined ? {} : { p50Ms, p95Ms }) };
    },
  };
}

/** Values by name, of which there are at most `most`; what comes later is put together under `other`. */
export function createFamily<Value>(make: () => Value, most = 256) {
  const values = new Map<string, Value>();
  return {
    of(name: string): Value {
      const key = values.has(name) || values.size < most ? name : 'other';
      let value = values.get(key);
      if (value === undefined) {
        value = make();
        values.set(key, value);
      }
      return value;
    },
    /** Sorted by name. */
    entries: () => [...values].sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}
