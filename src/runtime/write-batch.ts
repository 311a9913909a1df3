import { type AgentEvent, type EventBody, KEPT_EVENTS, type Message } from '../core/index.ts';
import type { SessionWrite } from '../store/index.ts';
import { createPendingEvents } from './pending-events.ts';

type Stamped = EventBody & { readonly ts: number };
type Started = NonNullable<SessionWrite['callsStarted']>[number];
export type Ended = NonNullable<SessionWrite['callsEnded']>[number];
export type Patch = NonNullable<SessionWrite['session']>;

/** What is to be kept by one write, and who waits for it. */
export interface WriteBatch {
  readonly events: ReturnType<typeof createPendingEvents<Stamped>>;
  readonly messages: Map<number, Message>;
  readonly started: Started[];
  readonly ended: Ended[];
  readonly waiters: { resolve(): void; reject(error: unknown): void }[];
  session: Patch | undefined;
  endsLease: boolean;
}

export function newBatch(): WriteBatch {
  return {
    events: createPendingEvents<Stamped>(),
    messages: new Map(),
    started: [],
    ended: [],
    waiters: [],
    session: undefined,
    endsLease: false,
  };
}

export function isEmpty(batch: WriteBatch): boolean {
  return (
    batch.events.size === 0 &&
    batch.messages.size === 0 &&
    batch.started.length === 0 &&
    batch.ended.length === 0 &&
    batch.waiters.length === 0 &&
    batch.session === undefined &&
    !batch.endsLease
  );
}

/** The batch as the store takes it; undefined when nothing of it is kept. */
export function toWrite(
  sessionId: string,
  owner: string,
  batch: WriteBatch,
  events: readonly AgentEvent[],
): SessionWrite | undefined {
  const kept = events.filter((event) => KEPT_EVENTS.has(event.type));
  const { messages, started, ended, session, endsLease } = batch;
  const rows = kept.length + messages.size + started.length + ended.length;
  if (rows === 0 && session === undefined && !endsLease) return undefined;
  return {
    sessionId,
    owner,
    ...(endsLease ? { endsLease } : {}),
    ...(session === undefined ? {} : { session }),
    ...(messages.size === 0 ? {} : { messages: [...messages].map(([position, message]) => ({ position, message })) }),
    ...(kept.length === 0 ? {} : { events: kept }),
    ...(started.length === 0 ? {} : { callsStarted: started }),
    ...(ended.length === 0 ? {} : { callsEnded: ended }),
  };
}
