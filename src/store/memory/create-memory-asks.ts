import { judgeAnswer } from '../judge-answer.ts';
import type { AskRecord, AskResolution, AskStore } from '../ports/asks.ts';
import { askExists, noSession } from '../session-errors.ts';
import { createWatchers } from '../watchers.ts';
import { toJson } from '../write-rows.ts';

/** Asks as the JSON text that a database would hold. `hasSession` also throws when the store is closed. */
export function createMemoryAsks(hasSession: (id: string) => boolean): AskStore {
  const rows = new Map<string, string>();
  const watchers = createWatchers();
  const read = (id: string): AskRecord | undefined => {
    const text = rows.get(id);
    const record = text === undefined ? undefined : (JSON.parse(text) as AskRecord);
    return record && hasSession(record.sessionId) ? record : undefined;
  };
  const end = (ask: AskRecord, resolution: AskResolution) => {
    rows.set(ask.id, toJson({ ...ask, resolution }, 'ask'));
    watchers.tell();
  };
  return {
    async open(ask) {
      if (!hasSession(ask.sessionId)) throw noSession(ask.sessionId);
      if (rows.has(ask.id)) throw askExists(ask.id);
      rows.set(ask.id, toJson(ask, 'ask'));
      watchers.tell();
    },
    get: async (id) => read(id),
    async list({ sessionId, open = false, at = 0 } = {}) {
      const all = [...rows.keys()].flatMap((id) => read(id) ?? []);
      return all.filter(
        (ask) =>
          (sessionId === undefined || ask.sessionId === sessionId) &&
          (!open || (ask.resolution === undefined && ask.expiresAt > at)),
      );
    },
    async answer(to, resolution) {
      const ask = read(to.id);
      const outcome = judgeAnswer(ask, to, resolution.at);
      if (ask && outcome === 'resolved') end(ask, resolution);
      return outcome;
    },
    async settle(id, resolution) {
      const ask = read(id);
      if (ask === undefined || ask.resolution !== undefined) return false;
      end(ask, resolution);
      return true;
    },
    watch: watchers.add,
  };
}
