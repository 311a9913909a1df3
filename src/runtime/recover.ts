import {
  type CallError,
  callError,
  checkTranscript,
  errorText,
  type NewId,
  repairTranscript,
  type ToolCall,
  type ToolMessage,
  type ToolOutput,
  type ToolResult,
} from '../core/index.ts';
import type { AskRecord, CallRecord, SessionStore, StoredMessage } from '../store/index.ts';
import { faultOfAsk, heldCalls } from './held-calls.ts';

export interface Recovery {
  /** The conversation, valid for every provider. */
  readonly stored: readonly StoredMessage[];
  /** Those of them that the store does not hold at that place. */
  readonly changed: readonly StoredMessage[];
  /** Results of calls that a crash left open, with the step they belong to. */
  readonly answered: readonly { readonly result: ToolResult; readonly step: number }[];
  /** Rows that were started and never ended, and what their end is now. */
  readonly open: readonly { readonly row: CallRecord; readonly result: ToolResult }[];
  /** Calls that a person may still answer for: their turn was left as it is. */
  readonly held: ReadonlySet<string>;
  /** One line for each thing that was mended. */
  readonly repairs: readonly string[];
}

/** What a tool can find out about one of its calls that had started: its result, or undefined when nobody can know. */
export type Reconcile = (call: CallRecord) => Promise<ToolOutput | undefined>;

/** What is known of the questions to the person. */
export interface Asking {
  asks(sessionId: string): Promise<readonly AskRecord[]>;
  now(): number;
  /** A turn with a call that may still be answered for is left as it is. */
  readonly holds: boolean;
}

const NOBODY_ASKED: Asking = { asks: async () => [], now: () => 0, holds: false };

/**
 * Reads a session and mends what a crash left. Runs nothing: a call that had ended gets its result, one that
 * had started is `uncertain` unless its tool can tell what became of it, any other did not run. To be called
 * by the holder of the session's lease.
 */
export async function recover(
  store: SessionStore,
  sessionId: string,
  newId: NewId,
  reconcile: Reconcile = async () => undefined,
  asking: Asking = NOBODY_ASKED,
): Promise<Recovery> {
  const raw = await store.messages(sessionId);
  const before = conversationOf(raw);
  const started = await store.calls(sessionId, { status: 'started' });
  const open = await Promise.all(started.map(async (row) => ({ row, result: await resultOf(row, reconcile) })));
  const begun = open.map(({ row, result }) => {
    const fate = result.error?.code === 'uncertain' ? 'it is uncertain' : 'its tool says what became of it';
    return `the call ${row.callId} of ${row.name} had started and not ended: ${fate}`;
  });
  if (checkTranscript(before.map((entry) => entry.message)).length === 0) {
    return { stored: before, changed: [], answered: [], open, held: new Set(), repairs: begun };
  }
  const rows = new Map((await store.calls(sessionId)).map((row) => [row.callId, row]));
  const asks = new Map((await asking.asks(sessionId)).map((ask) => [ask.callId, ask]));
  const held = asking.holds ? heldCalls(before, asks, rows, asking.now()) : new Set<string>();
  if (held.size > 0) {
    const waiting = [...held].map((callId) => `the call ${callId} waits for a person's yes; the next run settles it`);
    return { stored: before, changed: [], answered: [], open, held, repairs: [...begun, ...waiting] };
  }
  const found = new Map(open.map(({ row, result }) => [row.callId, result]));
  const answered: { result: ToolResult; step: number }[] = [];
  const missing = (call: ToolCall): ToolMessage => {
    const row = rows.get(call.id);
    const result = row?.result ?? found.get(call.id) ?? lostResult(call, row, asks.get(call.id));
    answered.push({ result, step: row?.step ?? 0 });
    return toolMessage(result, newId());
  };
  const { messages, repairs } = repairTranscript(
    before.map((entry) => entry.message),
    missing,
  );
  const own = new Map(before.map((entry) => [entry.message.id, entry.position]));
  let last = -1;
  const stored = messages.map((message) => {
    last = Math.max(last + 1, own.get(message.id) ?? 0);
    return { position: last, message };
  });
  const changed = stored.filter((entry) => own.get(entry.message.id) !== entry.position);
  return { stored, changed, answered, open, held, repairs: [...repairs, ...begun] };
}

/** The conversation that a store holds: a message that a repair moved stands there twice, and its last place counts. */
export function conversationOf(stored: readonly StoredMessage[]): StoredMessage[] {
  const places = new Map(stored.map((entry) => [entry.message.id, entry.position]));
  return stored.filter((entry) => places.get(entry.message.id) === entry.position);
}

function lostResult(call: { id: string; name: string }, row: CallRecord | undefined, ask?: AskRecord): ToolResult {
  const error: CallError =
    row === undefined
      ? (faultOfAsk(ask) ??
        callError('cancelled', 'the process ended before this call began; it did not run', {
          hint: 'Call it again if it is still needed.',
          retryable: true,
        }))
      : callError('uncertain', 'the process ended while this call ran; it may or may not have taken effect', {
          hint: 'Look at what it would have changed before you call it again.',
        });
  return { callId: call.id, name: call.name, content: errorText(error), error, durationMs: 0 };
}

/** A reconciled call keeps the tool's word; a tool that fails at it leaves the call uncertain. */
async function resultOf(row: CallRecord, reconcile: Reconcile): Promise<ToolResult> {
  const lost = lostResult({ id: row.callId, name: row.name }, row);
  const output = await reconcile(row).catch(() => undefined);
  return output === undefined ? lost : { ...output, callId: row.callId, name: row.name, durationMs: 0 };
}

function toolMessage(result: ToolResult, id: string): ToolMessage {
  return {
    id,
    role: 'tool',
    toolCallId: result.callId,
    name: result.name,
    content: result.content,
    isError: result.error !== undefined,
  };
}
