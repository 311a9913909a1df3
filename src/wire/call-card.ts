import type { WireEventOf } from './events.ts';
import type { WireContent } from './message.ts';
import { createProgressTail, type ProgressTail } from './progress-tail.ts';
import type { CallAsk, CallItem, CallStatus, ItemBase } from './timeline-item.ts';

/** All that the events have said of one call, in whatever order they came. */
export interface CallCard {
  readonly callId: string;
  /** A kept event names it; a card that is not confirmed goes when its turn ends. */
  readonly confirmed: boolean;
  readonly open: boolean;
  argumentsPiece(event: WireEventOf<'tool_call_delta'>): void;
  /** It stands in an assistant message. */
  written(name: string, text: string): void;
  called(event: WireEventOf<'tool_call'>): void;
  asked(event: WireEventOf<'ask'>): void;
  askResolved(event: WireEventOf<'ask_resolved'>): void;
  progress(event: WireEventOf<'tool_progress'>): void;
  result(event: WireEventOf<'tool_result'>): void;
  /** The result as its message has it; gives way to the `tool_result` event. */
  resultMessage(name: string, output: WireContent, isError: boolean): void;
  interrupt(): void;
  /** The same object until something changes. */
  item(base: ItemBase): CallItem;
}

type Outcome = Pick<CallItem, 'output' | 'metadata' | 'error' | 'stored' | 'durationMs'>;

export function createCallCard(callId: string): CallCard {
  let name = '';
  let ts: number | undefined;
  let confirmed = false;
  let interrupted = false;
  let pieces = '';
  let writtenText: string | undefined;
  let input: { readonly value: unknown } | undefined;
  let tail: ProgressTail | undefined;
  let outcome: { readonly isError: boolean; readonly whole: boolean; readonly fields: Outcome } | undefined;
  let asks: readonly CallAsk[] = [];
  let made: CallItem | undefined;

  const status = (): CallStatus => {
    if (outcome) return outcome.isError ? 'failed' : 'done';
    if (interrupted) return 'interrupted';
    return confirmed ? 'running' : 'streaming';
  };
  const argumentFields = () => {
    if (input) return { arguments: input.value };
    if (writtenText !== undefined) return { arguments: parsed(writtenText) };
    return confirmed ? {} : { argumentsText: pieces };
  };
  const changed = (newName?: string) => {
    if (newName) name = newName;
    made = undefined;
  };
  const settle = (isError: boolean, whole: boolean, fields: Outcome) => {
    outcome = { isError, whole, fields };
    tail = undefined;
    confirmed = true;
  };

  return {
    callId,
    get confirmed() {
      return confirmed;
    },
    get open() {
      return outcome === undefined && !interrupted;
    },
    argumentsPiece(event) {
      if (confirmed) return;
      pieces += event.text;
      changed(event.name);
    },
    written(newName, text) {
      confirmed = true;
      writtenText = text;
      changed(newName);
    },
    called(event) {
      confirmed = true;
      input = { value: event.arguments };
      ts = event.ts;
      changed(event.name);
    },
    asked({ id, kind, reason, hash, questions, suggestions, expires_at }) {
      asks = [...asks, { id, kind, reason, hash, ...(questions && { questions }), suggestions, expiresAt: expires_at }];
      changed();
    },
    askResolved({ id, outcome: how, by }) {
      asks = asks.map((ask) => (ask.id === id ? { ...ask, outcome: how, by } : ask));
      changed();
    },
    progress(event) {
      if (outcome || interrupted) return;
      tail ??= createProgressTail();
      tail.push(event);
      changed();
    },
    result(event) {
      const { output, is_error, metadata, error, stored, duration_ms } = event;
      settle(is_error, true, {
        output,
        ...(metadata !== undefined && { metadata }),
        ...(error && { error }),
        ...(stored && { stored }),
        durationMs: duration_ms,
      });
      changed(event.name);
    },
    resultMessage(newName, output, isError) {
      if (outcome?.whole) return;
      settle(isError, false, { output });
      changed(newName);
    },
    interrupt() {
      if (outcome) return;
      interrupted = true;
      tail = undefined;
      changed();
    },
    item(base) {
      made ??= {
        ...base,
        kind: 'call',
        ts: ts ?? base.ts,
        callId,
        name,
        status: status(),
        ...argumentFields(),
        progress: tail?.pieces() ?? [],
        ...(asks.length > 0 && { asks }),
        ...outcome?.fields,
      };
      return made;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
