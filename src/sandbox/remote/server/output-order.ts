import type { OutputStream } from '../../../core/index.ts';

/** How many turns between the streams are remembered. */
const MOST_RUNS = 4_096;

/** Bytes of one stream that came in a row. */
interface Run {
  readonly stream: OutputStream;
  end: number;
}

export type Offsets = Record<OutputStream, number>;

/** In which order the bytes of both streams came; long ago it is forgotten, and the streams come one after the other. */
export interface OutputOrder {
  note(stream: OutputStream, end: number): void;
  /** The stream to read next from these places, and how far; undefined when there is nothing. `from` is moved along. */
  next(offsets: Offsets, from: { run: number }): { stream: OutputStream; end: number } | undefined;
}

export function createOutputOrder(): OutputOrder {
  let runs: Run[] = [];
  /** How many have been forgotten. */
  let base = 0;
  return {
    note(stream, end) {
      const last = runs.at(-1);
      if (last?.stream === stream) {
        last.end = end;
        return;
      }
      runs.push({ stream, end });
      if (runs.length < 2 * MOST_RUNS) return;
      base += runs.length - MOST_RUNS;
      runs = runs.slice(-MOST_RUNS);
    },
    next(offsets, from) {
      for (from.run = Math.max(from.run, base); from.run - base < runs.length; from.run++) {
        const run = runs[from.run - base] as Run;
        if (offsets[run.stream] < run.end) return run;
      }
      from.run = Math.max(base, from.run - 1);
      return undefined;
    },
  };
}
