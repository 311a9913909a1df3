import type { ModelEvent } from '../../core/index.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Delta = Mutable<Extract<ModelEvent, { type: 'tool_call_delta' }>>;
type TextEvent = Mutable<Extract<ModelEvent, { type: 'text_delta' | 'thinking_delta' }>>;

/** Events of one socket read: pieces of the same call, and texts in a row, become one event. */
export interface EventBatch {
  text(type: TextEvent['type'], text: string): void;
  start(event: Extract<ModelEvent, { type: 'tool_call_start' }>): void;
  delta(event: Delta): void;
  /** Gives what has gathered and begins anew. */
  take(): ModelEvent[];
}

export function createEventBatch(): EventBatch {
  let events: ModelEvent[] = [];
  let last: TextEvent | undefined;
  const deltas = new Map<number, Delta>();
  return {
    text(type, text) {
      if (last?.type === type) {
        last.text += text;
        return;
      }
      const event: TextEvent = { type, text };
      last = event;
      events.push(event);
      // What comes after a text must not move before it.
      deltas.clear();
    },
    start(event) {
      last = undefined;
      events.push(event);
    },
    delta(event) {
      last = undefined;
      const earlier = deltas.get(event.key);
      if (earlier === undefined) {
        deltas.set(event.key, event);
        events.push(event);
        return;
      }
      earlier.text += event.text;
      if (event.id !== undefined) earlier.id = event.id;
      if (event.name !== undefined) earlier.name = event.name;
    },
    take() {
      const taken = events;
      events = [];
      last = undefined;
      deltas.clear();
      return taken;
    },
  };
}
