import type { AskPower, SessionInfo } from '../../core/index.ts';

/** A call under way on a line, as far as the server's own requests need it. */
export interface RunningCall {
  readonly session: Pick<SessionInfo, 'id'>;
  readonly roots: readonly string[];
  readonly ask?: AskPower;
}

/**
 * The calls of a line. A server's request does not say which of them it belongs to; it is put to a session
 * only when no other session's call is under way.
 */
export interface RunningCalls {
  add(call: RunningCall): () => void;
  readonly size: number;
  /** The newest call, when all are of one session. */
  owner(): RunningCall | undefined;
}

export function createRunningCalls(): RunningCalls {
  const calls = new Set<RunningCall>();
  return {
    add(call) {
      calls.add(call);
      return () => void calls.delete(call);
    },
    get size() {
      return calls.size;
    },
    owner() {
      const all = [...calls];
      const last = all.at(-1);
      return all.every((call) => call.session.id === last?.session.id) ? last : undefined;
    },
  };
}
