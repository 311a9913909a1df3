import {
  type CallError,
  type CallRecord,
  callError,
  checkTranscript,
  errorText,
  type NewId,
  repairTranscript,
  type SessionStore,
  type StoredMessage,
  type ToolCall,
  type ToolMessage,
  type ToolResult,
} from '../core/index.ts';

export interface Recovery {
  /** The conversation, valid for every provider. */
  readonly stored: readonly StoredMessage[];
  /** Those of them that the store does not hold at that place. */
  readonly changed: readonly StoredMessage[];
  /** Results of calls that a crash left open, with the step they belong to. */
  readonly answered: readonly { readonly result: ToolResult; readonly step: number }[];
  /** Rows that were started and never ended. */
  readonly open: readonly CallRecord[];
  /** One line for each thing that was mended. */
  readonly repairs: readonly string[];
}

/**
 * Reads a session and mends what a crash left. Runs nothing: a call that had ended gets its result, one that
 * had started is `uncertain`, any other did not run. To be called by the holder of the session's lease.
 */
export async function recover(store: SessionStore, sessionId: string, newId: NewId): Promise<Recovery> {
  const raw = await store.messages(sessionId);
  const before = lastOfEach(raw);
  const open = await store.calls(sessionId, { status: 'started' });
  if (checkTranscript(before.map((entry) => entry.message)).length === 0) {
    return { stored: before, changed: [], answered: [], open, repairs: [] };
  }
  const rows = new Map((await store.calls(sessionId)).map((row) => [row.callId, row]));
  const answered: { result: ToolResult; step: number }[] = [];
  const missing = (call: ToolCall): ToolMessage => {
    const row = rows.get(call.id);
    const result = row?.result ?? lostResult(call, row);
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
  return { stored, changed, answered, open, repairs };
}

/** A message that a repair moved stands twice in the store; its last place counts. */
function lastOfEach(stored: readonly StoredMessage[]): StoredMessage[] {
  const places = new Map(stored.map((entry) => [entry.message.id, entry.position]));
  return stored.filter((entry) => places.get(entry.message.id) === entry.position);
}

export function lostResult(call: { id: string; name: string }, row: CallRecord | undefined): ToolResult {
  const error: CallError =
    row === undefined
      ? callError('cancelled', 'the process ended before this call began; it did not run', {
          hint: 'Call it again if it is still needed.',
          retryable: true,
        })
      : callError('uncertain', 'the process ended while this call ran; it may or may not have taken effect', {
          hint: 'Look at what it would have changed before you call it again.',
        });
  return { callId: call.id, name: call.name, content: errorText(error), error, durationMs: 0 };
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
