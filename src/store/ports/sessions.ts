import type { AgentEvent, JsonObject, Message, ToolResult, Usage } from '../../core/index.ts';

export type SessionStatus = 'idle' | 'running';

export interface SessionRecord {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly agentName: string;
  readonly model: string;
  readonly status: SessionStatus;
  /** First line of the first input, for lists. */
  readonly summary: string;
  readonly usage: Usage;
  readonly metadata: JsonObject;
}

export interface StoredMessage {
  /** Place in the session's conversation, from 0. */
  readonly position: number;
  readonly message: Message;
}

export type CallStatus = 'started' | 'ended';

/** A journal row: what a call was and what became of it. */
export interface CallRecord {
  readonly sessionId: string;
  readonly callId: string;
  readonly runId: string;
  readonly step: number;
  readonly name: string;
  readonly input: unknown;
  readonly status: CallStatus;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly result?: ToolResult;
}

/** One atomic write of a session: all of it or nothing. */
export interface SessionWrite {
  readonly sessionId: string;
  /** When given, the write happens only while this owner holds the session's lease; else ToolwrightError `conflict`. */
  readonly owner?: string;
  /** The owner gives its lease back with this write. */
  readonly endsLease?: boolean;
  readonly session?: Partial<Omit<SessionRecord, 'id' | 'createdAt'>>;
  /** Written over what stands at their positions. */
  readonly messages?: readonly StoredMessage[];
  readonly events?: readonly AgentEvent[];
  readonly callsStarted?: readonly Omit<CallRecord, 'sessionId' | 'status' | 'endedAt' | 'result'>[];
  /** Ends rows that were started, and adds those of calls that never needed one. */
  readonly callsEnded?: readonly {
    readonly runId: string;
    readonly step: number;
    readonly endedAt: number;
    readonly input: unknown;
    readonly result: ToolResult;
  }[];
}

export interface SessionStore {
  create(session: SessionRecord): Promise<void>;
  get(id: string): Promise<SessionRecord | undefined>;
  /** Newest first. */
  list(options?: { limit?: number; before?: number }): Promise<readonly SessionRecord[]>;
  remove(id: string): Promise<void>;
  messages(id: string): Promise<readonly StoredMessage[]>;
  /** Kept events with `seq` greater than `after`, in order. */
  events(id: string, options?: { after?: number; limit?: number }): Promise<readonly AgentEvent[]>;
  calls(id: string, options?: { status?: CallStatus }): Promise<readonly CallRecord[]>;
  write(write: SessionWrite): Promise<void>;
  /** Takes `count` sequence numbers for good; gives the first. A crash skips numbers and never reuses one. */
  reserveSeq(id: string, count: number): Promise<number>;
  /** Takes or renews the right to write; false while another owner's has not run out. */
  lease(id: string, owner: string, until: number, now: number): Promise<boolean>;
  releaseLease(id: string, owner: string): Promise<void>;
}

/** What is kept. A driver offers every port; one contract suite runs on all of them. */
export interface Store {
  readonly kind: string;
  readonly sessions: SessionStore;
  close(): Promise<void>;
}
