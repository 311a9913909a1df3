import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

/** Messages of one session that a client may still ask for again. */
const KEPT = 1_000;

interface Kept {
  readonly stream: string;
  readonly message: JSONRPCMessage;
}

/** What was sent on a session's streams, the newest of it, so that a client that lost its line can go on (`Last-Event-ID`). */
export function createEventStore(): EventStore {
  const kept = new Map<number, Kept>();
  let last = 0;
  const numberOf = (id: string) => Number(id.slice(id.lastIndexOf('.') + 1));
  return {
    async storeEvent(stream, message) {
      kept.set(++last, { stream, message });
      kept.delete(last - KEPT);
      return `${stream}.${last}`;
    },
    async getStreamIdForEventId(id) {
      const cut = id.lastIndexOf('.');
      return cut > 0 && numberOf(id) <= last ? id.slice(0, cut) : undefined;
    },
    async replayEventsAfter(id, { send }) {
      const stream = id.slice(0, id.lastIndexOf('.'));
      for (const [number, entry] of [...kept]) {
        if (number > numberOf(id) && entry.stream === stream) await send(`${stream}.${number}`, entry.message);
      }
      return stream;
    },
  };
}
