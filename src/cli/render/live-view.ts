import type { Clock, EventBody } from '../../core/index.ts';
import type { Terminal } from '../io.ts';
import type { RunDisplay } from './display.ts';
import { createLiveCall, endedLine, headLine, type LiveCall, liveRows } from './live-call.ts';
import { createLiveScreen } from './live-screen.ts';
import { createRunView } from './run-view.ts';
import type { Style } from './style.ts';

/** Rows of one call at the most, its heading included. */
const CALL_ROWS = 9;

/** It shows events that no session has kept, too. */
export interface LiveView extends RunDisplay {
  show(events: readonly EventBody[]): Promise<void>;
}

export interface LiveViewOptions {
  readonly terminal: Terminal;
  readonly style: Style;
  readonly clock: Clock;
  readonly thinking?: boolean;
  /** To stderr, which may be the same terminal. */
  readonly err: (text: string) => void;
}

/**
 * A run on a terminal: text and finished calls scroll by and stay; what runs is shown below them by its last
 * lines, and collapses to one line at its end.
 */
export function createLiveView({ terminal, style, clock, thinking = false, err }: LiveViewOptions): LiveView {
  const calls = new Map<string, LiveCall>();
  const text = createRunView({ style, width: Math.max(20, terminal.columns - 1), thinking });
  const screen = createLiveScreen({
    terminal,
    clock,
    region(columns, rows) {
      // The newest ones are what a person waits for; a row says how many others there are.
      const shown = [...calls.values()].slice(-Math.max(1, calls.size <= rows ? rows : rows - 1));
      const hidden = calls.size - shown.length;
      const each = Math.min(CALL_ROWS, Math.floor((rows - (hidden > 0 ? 1 : 0)) / Math.max(1, shown.length)));
      return [
        ...(hidden > 0 && rows > 1 ? [style.dim(`● ${hidden} more`.slice(0, columns))] : []),
        ...shown.flatMap((call) => liveRows(call, columns, each, style)),
      ];
    },
  });
  const begin = (callId: string, name: string, input: unknown): LiveCall => {
    const call = createLiveCall(name, input, calls.values());
    calls.set(callId, call);
    return call;
  };
  const columns = () => Math.max(1, terminal.columns - 1);

  const push = (event: EventBody): void => {
    switch (event.type) {
      case 'tool_call':
        screen.print(text.endLine());
        begin(event.callId, event.name, event.arguments);
        screen.refresh();
        break;
      case 'tool_progress': {
        if (event.text === '') break;
        const call = calls.get(event.callId) ?? begin(event.callId, event.callId, {});
        call.tail.push(event.text, event.stream, event.offset);
        screen.refresh();
        break;
      }
      case 'tool_result': {
        const { callId, name } = event.result;
        const call = calls.get(callId) ?? createLiveCall(name, {}, []);
        calls.delete(callId);
        screen.print(`${text.endLine()}${endedLine(call, event.result, columns(), style)}\n`);
        break;
      }
      case 'run_end':
        calls.clear();
        screen.print(text.push(event));
        screen.refresh();
        break;
      default:
        screen.print(text.push(event));
    }
  };
  return {
    async show(events) {
      for (const event of events) push(event);
      await screen.settled();
    },
    async aside(callId, body) {
      const call = calls.get(callId);
      if (call !== undefined) screen.print(`${text.endLine()}${headLine(call, columns(), style)}\n`);
      await screen.hide();
      try {
        return await body();
      } finally {
        screen.show();
      }
    },
    tell(message) {
      void screen.hide();
      err(message);
      screen.show();
    },
    async close() {
      calls.clear();
      await screen.close();
    },
  };
}
