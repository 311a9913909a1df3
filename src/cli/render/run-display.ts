import { type AgentEvent, systemClock } from '../../core/index.ts';
import { encodeEvent } from '../../wire/index.ts';
import type { Io } from '../io.ts';
import { createLiveView } from './live-view.ts';
import { createRunView } from './run-view.ts';
import { createStyle } from './style.ts';

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

export interface DisplayFlags {
  readonly json?: boolean;
  readonly thinking?: boolean;
}

/** For programs one event a line; on a terminal live; else by lines that are only ever added. */
export function createRunDisplay(io: Io, { json = false, thinking = false }: DisplayFlags): RunDisplay {
  const plain = { aside: <T>(_callId: string, body: () => Promise<T>) => body(), tell: io.err, close: async () => {} };
  if (json) return { ...plain, show: (events) => io.out(events.map(encodeEvent).join('')) };
  const style = createStyle(io.hasColor);
  if (io.screen !== undefined) {
    return createLiveView({ terminal: io.screen, style, clock: systemClock, thinking, err: io.err });
  }
  const view = createRunView({ style, width: io.columns, thinking });
  return { ...plain, show: (events) => io.out(events.map((event) => view.push(event)).join('')) };
}
