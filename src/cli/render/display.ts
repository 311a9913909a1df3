import type { AgentEvent } from '../../core/index.ts';

/** Where a run is shown. */
export interface RunDisplay {
  /** Shows the next events; resolves when there is room for more. */
  show(events: readonly AgentEvent[]): Promise<void>;
  /** Gives the terminal to `body`, which asks something about a call. */
  aside<T>(callId: string, body: () => Promise<T>): Promise<T>;
  /** A word of our own to stderr. */
  tell(text: string): void;
  /** Leaves nothing behind that would be painted over. */
  close(): Promise<void>;
}
