/** How much the executor lets through; resolved once and passed whole. */
export interface ExecutorLimits {
  /** Leaf calls of one turn that run at once. */
  readonly maxParallel: number;
  /** Longest run of a tool that declares none, milliseconds. */
  readonly toolTimeoutMs: number;
  /** Characters of a result before it is stored, for a tool that declares none. */
  readonly maxOutputChars: number;
  /** Estimated tokens of any stored-or-not result. */
  readonly maxResultTokens: number;
  /** Characters of all results of one turn. */
  readonly maxTurnChars: number;
  /** How long a tool may take to end after its signal was aborted, before it is settled without it. */
  readonly graceMs: number;
  /** How long a later call waits for a conflicting one that has settled and not finished. */
  readonly stuckMs: number;
  /** Longest time for a tool's own claims, permissions and reconcile. */
  readonly factsMs: number;
  readonly progressEnabled: boolean;
  /** Window in which pieces of one stream are merged; 0: none. */
  readonly progressIntervalMs: number;
  /** Bytes that leave at once. */
  readonly progressFlushBytes: number;
}

export const DEFAULT_LIMITS: ExecutorLimits = {
  maxParallel: 16,
  toolTimeoutMs: 120_000,
  maxOutputChars: 4_000,
  maxResultTokens: 12_000,
  maxTurnChars: 200_000,
  graceMs: 200,
  stuckMs: 5_000,
  factsMs: 10_000,
  progressEnabled: true,
  progressIntervalMs: 50,
  progressFlushBytes: 16_384,
};
