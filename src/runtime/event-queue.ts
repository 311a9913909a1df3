import type { AgentEvent } from '../core/index.ts';
import { createPendingEvents } from './pending-events.ts';

/** Events between the one writer of a session and one reader. Holds a bounded number and never makes the writer wait. */
export interface EventQueue {
  push(events: readonly AgentEvent[]): void;
  /** No more come; with an error the reader's last read throws it. */
  end(error?: unknown): void;
  /** All that wait, at least one; empty when the queue has ended. */
  read(): Promise<readonly AgentEvent[]>;
}

export interface EventQueueOptions {
  /** Kept events after a sequence number, from the store. */
  readonly kept: (after: number, limit: number) => Promise<readonly AgentEvent[]>;
  /** Events that wait in memory at the most. */
  readonly limit?: number;
}

const PAGE = 512;

/**
 * A reader that falls behind by more than `limit` events is served from the store: it gets every kept
 * event, and of deltas and progress only what comes after it has caught up.
 */
export function createEventQueue({ kept, limit = 4_096 }: EventQueueOptions): EventQueue {
  const pending = createPendingEvents<AgentEvent>();
  let behind = false;
  let ended = false;
  let failure: unknown;
  /** The last event that was read (at first: the one before the queue's own first), and the last left to the store. */
  let readSeq: number | undefined;
  let droppedSeq = -1;
  let wake: (() => void) | undefined;

  const signal = () => {
    wake?.();
    wake = undefined;
  };
  const remember = (events: readonly AgentEvent[]) => {
    const last = events.at(-1);
    if (last !== undefined) readSeq = last.seq;
    return events;
  };
  const caughtUp = async (): Promise<readonly AgentEvent[]> => {
    while (behind) {
      const goal = droppedSeq;
      const page = await kept(readSeq ?? -1, PAGE);
      if (page.length < PAGE && goal === droppedSeq) behind = false;
      if (page.length > 0) return remember(page);
    }
    return [];
  };

  return {
    push(events) {
      if (ended) return;
      readSeq ??= (events[0]?.seq ?? 0) - 1;
      for (const event of events) {
        if (event.seq <= readSeq) continue;
        if (behind) droppedSeq = event.seq;
        else pending.push(event);
      }
      if (pending.size > limit) {
        droppedSeq = events.at(-1)?.seq ?? droppedSeq;
        behind = true;
        pending.take();
      }
      signal();
    },
    end(error) {
      if (ended) return;
      ended = true;
      failure = error;
      signal();
    },
    async read() {
      for (;;) {
        if (behind) {
          const page = await caughtUp();
          if (page.length > 0) return page;
        }
        if (pending.size > 0) return remember(pending.take());
        if (ended) {
          if (failure === undefined) return [];
          const error = failure;
          failure = undefined;
          throw error;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
