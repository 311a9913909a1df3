/** One line of the audit log, as it is kept: secrets masked, every text bounded. Null where it says nothing. */
export interface AuditRow {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly sessionId: string;
  readonly agentName: string;
  readonly callId: string;
  readonly tool: string;
  /** `decision`, `started`, `ended`; `chain_lost` when the head was missing or not ours before this row. */
  readonly event: string;
  readonly effect: string | null;
  readonly layer: string | null;
  readonly rule: string | null;
  readonly hook: string | null;
  readonly reason: string | null;
  /** JSON text, masked and cut. */
  readonly input: string | null;
  /** SHA-256 of the canonical JSON of the whole input, hex. */
  readonly inputHash: string | null;
  /** JSON text of what the decision was made by, masked; left out when too long. */
  readonly facts: string | null;
  readonly durationMs: number | null;
  readonly outcome: string | null;
}

export interface KeptAuditRow extends AuditRow {
  /** From 1, without gaps. */
  readonly seq: number;
  readonly hash: string;
}

/** The place where the log was broken. */
export interface AuditBreak {
  readonly seq: number;
  readonly kind: 'changed' | 'missing' | 'foreign' | 'cut' | 'head_lost' | 'head_forged' | 'key_lost';
  readonly message: string;
}

export interface AuditVerdict {
  readonly rows: number;
  /** Absent when every row is as it was written. */
  readonly broken?: AuditBreak;
}

/** A log that is only added to; each row's hash covers the one before it. */
export interface AuditStore {
  /** All of them in one transaction, in this order, whatever other processes write. */
  append(rows: readonly AuditRow[]): Promise<void>;
  /** In order; the newest `limit` of them. */
  list(options?: { session?: string; limit?: number }): Promise<readonly KeptAuditRow[]>;
  verify(): Promise<AuditVerdict>;
}
