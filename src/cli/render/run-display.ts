import { systemClock } from '../../core/index.ts';
import { encodeEvent } from '../../wire/index.ts';
import type { Io } from '../io.ts';
import type { RunDisplay } from './display.ts';
import { createLiveView } from './live-view.ts';
import { createRunView } from './run-view.ts';
import { createStyle } from './style.ts';

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
