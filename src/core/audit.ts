import type { CallFacts, DecisionLayer, Effect } from './policy.ts';

/** What became of a call: it was judged, its effect began, it has its answer. */
export interface AuditEntry {
  readonly event: 'decision' | 'started' | 'ended';
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly effect?: Effect;
  readonly layer?: DecisionLayer | 'person';
  readonly rule?: string;
  readonly hook?: string;
  readonly reason?: string;
  readonly facts?: CallFacts;
  readonly durationMs?: number;
  /** `ok`, or the code of the error. */
  readonly outcome?: string;
}

/** Takes an entry in; what `started` gives is waited for: without it on disk nothing runs. */
export type Audit = (entry: AuditEntry) => undefined | Promise<void>;
