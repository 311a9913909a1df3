import { type OutputStream, ToolwrightError } from '../../core/index.ts';
import type { StartedProcess } from './start-process.ts';

/** What processes printed that nobody listened to, by byte offset, of the last ones after their end too. */
export interface KeptOutputs {
  keep(child: StartedProcess): void;
  /** ToolwrightError `not_found` for a process that is not kept (any more). */
  read(id: string, stream: OutputStream, offset: number, max: number): Promise<{ bytes: Uint8Array; next: number }>;
}

/** Ended processes whose output can still be read, and what one read gives. */
const KEPT_ENDED = 16;
const MOST_READ_BYTES = 1_048_576;

export function createKeptOutputs(): KeptOutputs {
  const kept = new Map<string, StartedProcess>();
  /** In the order of their ends. */
  const ended: string[] = [];
  const end = (id: string) => {
    ended.push(id);
    if (ended.length > KEPT_ENDED) kept.delete(ended.shift() as string);
  };
  return {
    keep(child) {
      kept.set(child.id, child);
      child.wait().then(
        () => end(child.id),
        () => end(child.id),
      );
    },
    async read(id, stream, offset, max) {
      const child = kept.get(id);
      if (child) return child.readOutput(stream, offset, Math.min(max, MOST_READ_BYTES));
      throw new ToolwrightError('not_found', `There is no kept output of a process ${JSON.stringify(id)}.`);
    },
  };
}
