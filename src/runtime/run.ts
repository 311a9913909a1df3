import type { AgentEvent, RunEndReason, Usage } from '../core/index.ts';
import type { EventQueue } from './event-queue.ts';

export interface RunResult {
  readonly sessionId: string;
  readonly runId: string;
  readonly reason: RunEndReason;
  /** Model replies. */
  readonly steps: number;
  readonly usage: Usage;
  /** Text of the last reply. */
  readonly text: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/**
 * All turns from one input, under way since it was asked for. Reading it gives its events, once; leaving the
 * loop early (`break`) cancels the run and waits until every call has settled. Not reading it stops nothing.
 */
export interface Run extends AsyncIterable<AgentEvent> {
  readonly id: string;
  /** Rejects only when the run could not begin. */
  readonly result: Promise<RunResult>;
  /** The same events, as many at a time as wait. */
  batches(): AsyncIterable<readonly AgentEvent[]>;
}

export function createRun(id: string, queue: EventQueue, result: Promise<RunResult>, cancel: () => void): Run {
  result.catch(() => {});
  const leave = async (): Promise<IteratorReturnResult<undefined>> => {
    cancel();
    await result.catch(() => {});
    return { value: undefined, done: true };
  };
  return {
    id,
    result,
    batches: () => ({
      [Symbol.asyncIterator]: () => ({
        async next() {
          const events = await queue.read();
          return events.length === 0 ? { value: undefined, done: true } : { value: events, done: false };
        },
        return: leave,
      }),
    }),
    [Symbol.asyncIterator]() {
      let events: readonly AgentEvent[] = [];
      let index = 0;
      return {
        async next() {
          if (index >= events.length) {
            events = await queue.read();
            index = 0;
          }
          const event = events[index++];
          return event === undefined ? { value: undefined, done: true } : { value: event, done: false };
        },
        return: leave,
      };
    },
  };
}
