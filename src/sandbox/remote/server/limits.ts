/** What a server holds its clients to. */
export interface ServerLimits {
  /** A session or command that nobody asks for is ended after so long. Never under the minute in which a client resumes. */
  readonly leaseMs: number;
  readonly mostSessions: number;
  /** Running at once in one session. */
  readonly mostProcesses: number;
  /** Body of a request that is JSON. */
  readonly mostJsonBytes: number;
  /** A file that is read or written in one piece. */
  readonly mostFileBytes: number;
  /** Bodies and files that are in memory at once. */
  readonly mostHeldBytes: number;
  /** Of each stream of a command: how far it may be ahead of who follows it before it is held back. */
  readonly spoolBytes: number;
  /** Output of ended commands that is kept in one session. */
  readonly mostKeptBytes: number;
  readonly mostConnections: number;
  /** For the head of a request to arrive, and for all of it; also how long a line may stand still. */
  readonly headersMs: number;
  readonly requestMs: number;
}

const MB = 1_048_576;

export const SERVER_LIMITS: ServerLimits = {
  leaseMs: 600_000,
  mostSessions: 64,
  mostProcesses: 64,
  mostJsonBytes: 4 * MB,
  mostFileBytes: 256 * MB,
  mostHeldBytes: 1_024 * MB,
  spoolBytes: 256 * MB,
  mostKeptBytes: 512 * MB,
  mostConnections: 1_024,
  headersMs: 10_000,
  requestMs: 120_000,
};
