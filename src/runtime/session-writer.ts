import {
  type AgentEvent,
  type CallJournal,
  type Clock,
  type Emit,
  type EventBody,
  isToolwrightError,
  messageOf,
  ToolwrightError,
} from '../core/index.ts';
import type { SessionStore, StoredMessage } from '../store/index.ts';
import { type Ended, isEmpty, newBatch, type Patch, toWrite, type WriteBatch } from './write-batch.ts';

/** Sequence numbers are taken from the store in blocks; a crash skips the rest of one. */
const SEQ_BLOCK = 1_024;

/** What a reader is still told when nothing can be kept any more. */
const LAST_WORDS: ReadonlySet<EventBody['type']> = new Set(['error', 'run_end']);

export interface SessionWriterOptions {
  readonly sessionId: string;
  readonly agentName: string;
  readonly store: SessionStore;
  /** Who holds the lease. */
  readonly owner: string;
  readonly clock: Clock;
  /** Gets events in order, each after everything kept before it is on disk. */
  readonly deliver: (events: readonly AgentEvent[]) => void;
  /** Called once, when nothing can be written any more. */
  readonly onBroken: (error: ToolwrightError) => void;
}

/** The one owner of a session's order: all that is kept of it goes through here, in one write at a time. */
export interface SessionWriter {
  readonly emit: Emit;
  /** Resolves when they are on disk: at once, or with the next write when that is not urgent. */
  putMessages(messages: readonly StoredMessage[], isUrgent?: boolean): Promise<void>;
  journal(runId: string): CallJournal;
  /** Ends a journal row of an earlier process. */
  endCall(ended: Ended): Promise<void>;
  /** Changes the session's record with the next write. */
  update(patch: Patch): void;
  /** Resolves when all that was given so far is on disk; rejects when it cannot be. */
  flush(): Promise<void>;
  /** The same, and the lease is given back with it. What is given later waits for `enter`. */
  leave(): Promise<void>;
  /** The lease is held again. */
  enter(): void;
  /** Why nothing can be written any more. */
  readonly broken: ToolwrightError | undefined;
  /** Stops all writing; what waits is refused with the error. */
  fail(error: ToolwrightError): void;
}

export function createSessionWriter(options: SessionWriterOptions): SessionWriter {
  const { sessionId, store, owner, clock } = options;
  let batch = newBatch();
  let scheduled: NodeJS.Immediate | undefined;
  let writing = false;
  /** The lease was given back. */
  let left = false;
  let broken: ToolwrightError | undefined;
  let nextSeq = 0;
  let endSeq = 0;
  /** What journal rows need of calls that run. */
  const calls = new Map<string, { step: number; input: unknown }>();

  const takeSeq = async (count: number): Promise<number> => {
    if (endSeq - nextSeq < count) {
      const size = Math.ceil(count / SEQ_BLOCK) * SEQ_BLOCK;
      nextSeq = await store.reserveSeq(sessionId, size);
      endSeq = nextSeq + size;
    }
    const first = nextSeq;
    nextSeq += count;
    return first;
  };

  const commit = async (work: WriteBatch): Promise<void> => {
    const bodies = work.events.take();
    let seq = bodies.length > 0 ? await takeSeq(bodies.length) : 0;
    const events = bodies.map((body): AgentEvent => ({ ...body, sessionId, seq: seq++, agentName: options.agentName }));
    const write = toWrite(sessionId, owner, work, events);
    if (write !== undefined) await store.write(write);
    if (events.length > 0) options.deliver(events);
  };

  const write = async (): Promise<void> => {
    if (scheduled !== undefined) clearImmediate(scheduled);
    scheduled = undefined;
    if (writing) return;
    writing = true;
    while (!isEmpty(batch) && broken === undefined && !left) {
      const work = batch;
      left = work.endsLease;
      batch = newBatch();
      try {
        await commit(work);
        for (const waiter of work.waiters) waiter.resolve();
      } catch (error) {
        fail(asWriteError(error));
        for (const waiter of work.waiters) waiter.reject(broken);
      }
    }
    writing = false;
  };
  /** What nobody waits for leaves together at the end of the loop's round. */
  const later = () => {
    if (left) return;
    scheduled ??= setImmediate(() => void write());
  };
  const durable = (): Promise<void> => {
    if (broken !== undefined) return Promise.reject(broken);
    return new Promise((resolve, reject) => {
      batch.waiters.push({ resolve, reject });
      queueMicrotask(() => void write());
    });
  };
  const soon = (): Promise<void> => {
    if (broken !== undefined) return Promise.reject(broken);
    return new Promise((resolve, reject) => {
      batch.waiters.push({ resolve, reject });
      later();
    });
  };
  const endCall = (ended: Ended): Promise<void> => {
    batch.ended.push(ended);
    return soon();
  };
  const fail = (error: ToolwrightError) => {
    if (broken !== undefined) return;
    broken = error;
    const dropped = batch;
    batch = newBatch();
    for (const waiter of dropped.waiters) waiter.reject(error);
    options.onBroken(error);
  };

  return {
    emit(event) {
      const ts = clock.now() / 1_000;
      if (broken !== undefined) {
        if (LAST_WORDS.has(event.type)) options.deliver([{ ...event, sessionId, seq: nextSeq++, ts }]);
        return;
      }
      if (event.type === 'tool_call') calls.set(event.callId, { step: event.step, input: event.arguments });
      batch.events.push({ ...event, ts });
      later();
    },
    putMessages(messages, isUrgent = true) {
      for (const entry of messages) batch.messages.set(entry.position, entry.message);
      return isUrgent ? durable() : soon();
    },
    journal: (runId) => ({
      started(call) {
        calls.set(call.callId, { step: call.step, input: call.input });
        batch.started.push({ ...call, runId, startedAt: clock.now() });
        return durable();
      },
      ended(result) {
        const call = calls.get(result.callId) ?? { step: 0, input: null };
        calls.delete(result.callId);
        return endCall({ runId, ...call, endedAt: clock.now(), result });
      },
    }),
    endCall,
    update(patch) {
      batch.session = { ...batch.session, ...patch };
    },
    flush: durable,
    leave() {
      batch.endsLease = true;
      return durable();
    },
    enter() {
      left = false;
      if (!isEmpty(batch)) later();
    },
    get broken() {
      return broken;
    },
    fail,
  };
}

function asWriteError(error: unknown): ToolwrightError {
  if (isToolwrightError(error)) return error;
  return new ToolwrightError('internal', `the session could not be written: ${messageOf(error)}`, {
    hint: 'Nothing that was acknowledged is lost. Check the disk and the database, then run the session again.',
    cause: error,
  });
}
