import { type AgentEvent, type Clock, type NewId, type ToolwrightError, textOf } from '../core/index.ts';
import type { HouseStore, SessionRecord } from '../store/index.ts';
import { createLease } from './lease.ts';
import { type Reconcile, type Recovery, recover } from './recover.ts';
import { createSessionTranscript, type SessionTranscript } from './session-transcript.ts';
import { createSessionWriter, type SessionWriter } from './session-writer.ts';
import { untoldEvents } from './untold-events.ts';

/** A session as it is kept: who may write it, in which order, and what stands there already. */
export interface Ledger {
  readonly transcript: SessionTranscript;
  readonly writer: SessionWriter;
  /** What loading had to mend, one line each. */
  readonly repairs: readonly string[];
  /** Takes the lease, reads what others wrote since, mends what a crash left. Throws ToolwrightError `busy`. */
  enter(): Promise<void>;
  leave(): Promise<void>;
  /** Calls that a person may still answer for; their turn has no results until `settle`. */
  readonly held: ReadonlySet<string>;
  /** Mends the turn of the held calls, with what has become of them by now. */
  settle(): Promise<void>;
  /** The session's record as last known. */
  readonly record: SessionRecord;
  /** Changes the record with the next write. */
  update(patch: Partial<Omit<SessionRecord, 'id' | 'createdAt'>>): void;
}

export interface LedgerOptions {
  /** As it is, or as it is to be created. */
  readonly record: SessionRecord;
  readonly store: HouseStore;
  readonly owner: string;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly deliver: (events: readonly AgentEvent[]) => void;
  readonly onBroken: (error: ToolwrightError) => void;
  /** Resolves when what others keep of the session is on disk; waited for before it is let go. */
  readonly alongside?: () => Promise<void>;
  /** Asked about calls that had started when a process ended. */
  readonly reconcile?: Reconcile;
}

export function createLedger(options: LedgerOptions): Ledger {
  const { store, owner, clock, newId } = options;
  const sessions = store.sessions;
  const sessionId = options.record.id;
  let record = options.record;
  /** How many runs and calls the session had when it was last read. */
  let knownTurns = -1;
  let inside = 0;
  let entering: Promise<void> | undefined;
  let leaving: Promise<unknown> | undefined;
  let held: ReadonlySet<string> = new Set();
  const repairs: string[] = [];
  const writer = createSessionWriter({ ...options, sessionId, agentName: record.agentName, store: sessions });
  const transcript = createSessionTranscript((messages, isUrgent) => writer.putMessages(messages, isUrgent));
  const lease = createLease({ sessionId, owner, store: sessions, clock, onLost: (error) => writer.fail(error) });

  const update: Ledger['update'] = (patch) => {
    record = { ...record, ...patch };
    writer.update(patch);
  };
  /** All in one write: a crash in the middle of it leaves everything to the next one. */
  const mend = async (found: Recovery): Promise<void> => {
    if (found.repairs.length === 0 && record.status === 'idle') return;
    const untold = untoldEvents(await sessions.events(sessionId), found);
    repairs.push(...found.repairs);
    if (untold.some((event) => event.type === 'run_end')) repairs.push('ended the run that the process left open');
    for (const event of untold) writer.emit(event);
    for (const { row, result } of found.open) {
      const { runId, step, input } = row;
      writer.endCall({ runId, step, input, endedAt: clock.now(), result }).catch(() => {});
    }
    if (found.changed.length > 0) await writer.putMessages(found.changed);
    await writer.flush();
  };
  const read = async (holds: boolean): Promise<void> => {
    const asking = { asks: (id: string) => store.asks.list({ sessionId: id }), now: () => clock.now(), holds };
    const found = await recover(sessions, sessionId, newId, options.reconcile, asking);
    held = found.held;
    transcript.load(found.stored);
    await mend(found);
  };
  const load = async (): Promise<void> => {
    record = (await sessions.get(sessionId)) ?? record;
    if (turnsOf(record) !== knownTurns || held.size > 0) await read(true);
    knownTurns = turnsOf(record) + 1;
    update({ status: 'running', updatedAt: clock.now(), metadata: { ...record.metadata, turns: knownTurns } });
  };
  const begin = async (): Promise<void> => {
    await leaving;
    if ((await sessions.get(sessionId)) === undefined) await sessions.create(record);
    await lease.hold();
    writer.enter();
    try {
      await load();
    } catch (error) {
      await lease.release().catch(() => {});
      throw error;
    }
  };

  const flush = () => Promise.all([writer.flush(), options.alongside?.()]);
  /** The last write gives the lease back, too; without it, it is given back alone. */
  const giveBack = () =>
    writer.leave().catch(async (error) => {
      await sessions.releaseLease(sessionId, owner);
      throw error;
    });

  return {
    transcript,
    writer,
    repairs,
    get record() {
      return record;
    },
    update,
    get held() {
      return held;
    },
    async settle() {
      await writer.flush();
      await read(false);
    },
    async enter() {
      inside++;
      entering ??= begin();
      try {
        await entering;
      } catch (error) {
        inside--;
        entering = undefined;
        throw error;
      }
    },
    async leave() {
      inside--;
      if (inside > 0) return void (await flush());
      entering = undefined;
      update({ status: 'idle', updatedAt: clock.now() });
      const left = Promise.all([lease.release(giveBack), options.alongside?.()]);
      leaving = left.catch(() => {});
      await left;
    },
  };
}

function turnsOf(record: SessionRecord): number {
  const turns = record.metadata.turns;
  return typeof turns === 'number' ? turns : 0;
}

/** The first line of an input, for lists. */
export function summaryOf(content: Parameters<typeof textOf>[0]): string {
  const line = textOf(content).trim().split('\n', 1)[0] ?? '';
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
