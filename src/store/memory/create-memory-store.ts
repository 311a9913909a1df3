import { type Clock, type Message, systemClock } from '../../core/index.ts';
import type { HouseStore } from '../ports/asks.ts';
import type { SessionRecord } from '../ports/sessions.ts';
import { alreadyWritten, leaseLost, noSession, sessionExists, storeClosed } from '../session-errors.ts';
import {
  type CallRow,
  checkCount,
  type EventRow,
  toCallRecord,
  toEvent,
  toJson,
  toRows,
  type WriteRows,
} from '../write-rows.ts';
import { createMemoryAsks } from './create-memory-asks.ts';
import { createMemoryTasks } from './create-memory-tasks.ts';
import { createMemoryAudit } from './memory-audit.ts';

type CallEntry = CallRow & { readonly endedAt: number | null; readonly result: string | null };

/** Everything is kept as the JSON text that a database would hold, so that nobody shares an object with the store. */
interface Session {
  record: Omit<SessionRecord, 'usage' | 'metadata'> & { readonly usage: string; readonly metadata: string };
  readonly messages: Map<number, string>;
  readonly events: Map<number, EventRow>;
  readonly calls: Map<string, CallEntry>;
  nextSeq: number;
  lease: { readonly owner: string; readonly until: number } | undefined;
}

/** A store that lasts as long as the process. */
export function createMemoryStore({ clock = systemClock }: { readonly clock?: Clock } = {}): HouseStore {
  const sessions = new Map<string, Session>();
  let isClosed = false;

  const open = () => {
    if (isClosed) throw storeClosed();
    return sessions;
  };
  const find = (id: string): Session => {
    const session = open().get(id);
    if (!session) throw noSession(id);
    return session;
  };

  return {
    kind: 'memory',
    sessions: {
      async create({ usage, metadata, ...rest }) {
        if (open().has(rest.id)) throw sessionExists(rest.id);
        const record = { ...rest, usage: toJson(usage, 'usage'), metadata: toJson(metadata, 'metadata') };
        const none = { messages: new Map(), events: new Map(), calls: new Map() };
        sessions.set(rest.id, { record, ...none, nextSeq: 1, lease: undefined });
      },
      async get(id) {
        const session = open().get(id);
        return session && toRecord(session);
      },
      async list({ limit, before = Number.POSITIVE_INFINITY } = {}) {
        const newestFirst = [...open().values()].reverse().sort((a, b) => b.record.createdAt - a.record.createdAt);
        const older = newestFirst.filter((session) => session.record.createdAt < before);
        return older.slice(0, limit).map(toRecord);
      },
      async remove(id) {
        open().delete(id);
      },
      async messages(id) {
        const entries = [...(open().get(id)?.messages ?? [])].sort(([a], [b]) => a - b);
        return entries.map(([position, json]) => ({ position, message: JSON.parse(json) as Message }));
      },
      async events(id, { after = -1, limit } = {}) {
        const rows = [...(open().get(id)?.events.values() ?? [])].filter((row) => row.seq > after);
        const ordered = rows.sort((a, b) => a.seq - b.seq).slice(0, limit);
        return ordered.map((row) => toEvent(id, row));
      },
      async calls(id, { status } = {}) {
        const records = [...(open().get(id)?.calls.values() ?? [])].map((row) => toCallRecord(id, row));
        return records.filter((record) => status === undefined || record.status === status);
      },
      async write(request) {
        open();
        const rows = toRows(request);
        apply(find(request.sessionId), rows, clock.now());
      },
      async reserveSeq(id, count) {
        checkCount(count);
        const session = find(id);
        const first = session.nextSeq;
        session.nextSeq += count;
        return first;
      },
      async lease(id, owner, until, now) {
        const session = find(id);
        if (session.lease && session.lease.owner !== owner && session.lease.until > now) return false;
        session.lease = { owner, until };
        return true;
      },
      async releaseLease(id, owner) {
        const session = open().get(id);
        if (session?.lease?.owner === owner) session.lease = undefined;
      },
    },
    audit: createMemoryAudit(open),
    asks: createMemoryAsks((id) => open().has(id)),
    tasks: createMemoryTasks((id) => open().has(id)),
    async close() {
      isClosed = true;
      sessions.clear();
    },
  };
}

/** Checks first, then changes: a write that cannot be made whole leaves nothing. */
function apply(session: Session, rows: WriteRows, now: number): void {
  const { lease } = session;
  if (rows.owner !== undefined && !(lease?.owner === rows.owner && lease.until > now)) throw leaseLost(rows.sessionId);
  const newSeqs = new Set(rows.events.map((event) => event.seq));
  const newCalls = new Set(rows.started.map(callKey));
  const isRepeated =
    newSeqs.size < rows.events.length ||
    newCalls.size < rows.started.length ||
    rows.events.some((event) => session.events.has(event.seq)) ||
    rows.started.some((call) => session.calls.has(callKey(call)));
  if (isRepeated) throw alreadyWritten(rows.sessionId);

  if (rows.patch) session.record = { ...session.record, ...rows.patch };
  for (const message of rows.messages) session.messages.set(message.position, message.json);
  for (const call of rows.started) session.calls.set(callKey(call), { ...call, endedAt: null, result: null });
  for (const call of rows.ended) {
    const { endedAt, result } = call;
    session.calls.set(callKey(call), { ...(session.calls.get(callKey(call)) ?? call), endedAt, result });
  }
  for (const event of rows.events) session.events.set(event.seq, event);
  if (rows.endsLease && lease?.owner === rows.owner) session.lease = undefined;
}

const callKey = (call: CallRow) => JSON.stringify([call.callId, call.runId]);

function toRecord({ record }: Session): SessionRecord {
  return { ...record, usage: JSON.parse(record.usage), metadata: JSON.parse(record.metadata) };
}
