import { cutStart, type EventBody, utf8Length } from '../core/index.ts';

/** Live text of one stream that waits for a reader; what is older gives way, and `offset` tells. */
const KEEP_PROGRESS_CHARS = 65_536;

/** Events that wait, in order; pieces of the same text that wait together become one event. */
export interface PendingEvents<Event extends EventBody> {
  readonly size: number;
  push(event: Event): void;
  /** All that wait; none wait afterwards. */
  take(): Event[];
}

export function createPendingEvents<Event extends EventBody>(): PendingEvents<Event> {
  let events: Event[] = [];
  /** Where the last piece of a live stream waits, by call and stream. */
  const progress = new Map<string, number>();
  /** Where the last piece of the model's reply waits, while nothing else of the reply came after it. */
  let reply: { key: string; index: number } | undefined;

  const join = (index: number, text: string): void => {
    const waiting = events[index] as Event & { text: string };
    const joined = { ...waiting, text: waiting.text + text };
    events[index] = shortened(joined);
  };

  return {
    get size() {
      return events.length;
    },
    push(event) {
      if (event.type === 'tool_progress') {
        const key = `${event.callId}\n${event.stream}`;
        const index = progress.get(key);
        if (index !== undefined && !event.closed) return join(index, event.text);
        if (!event.closed) progress.set(key, events.length);
      } else if (event.type === 'text_delta' || event.type === 'thinking_delta' || event.type === 'tool_call_delta') {
        const key = event.type === 'tool_call_delta' ? event.callId : event.type;
        if (reply?.key === key) return join(reply.index, event.text);
        reply = { key, index: events.length };
      } else if (event.type !== 'heartbeat') reply = undefined;
      events.push(event);
    },
    take() {
      const taken = events;
      events = [];
      progress.clear();
      reply = undefined;
      return taken;
    },
  };
}

function shortened<Event extends EventBody>(event: Event): Event {
  if (event.type !== 'tool_progress' || event.text.length <= 2 * KEEP_PROGRESS_CHARS) return event;
  const text = cutStart(event.text, KEEP_PROGRESS_CHARS);
  const dropped = event.text.slice(0, event.text.length - text.length);
  return { ...event, text, offset: event.offset + utf8Length(dropped) };
}
