import { type CallError, callError } from '../core/index.ts';
import type { AskRecord, CallRecord, StoredMessage } from '../store/index.ts';

/** The last ask of each call of a session, by call. */
export type AsksByCall = ReadonlyMap<string, AskRecord>;

/**
 * The open calls of the last turn, when one of them still waits for a person or for its run after a yes; its
 * turn then stays as it is until the next run. Empty: nothing waits.
 */
export function heldCalls(
  stored: readonly StoredMessage[],
  asks: AsksByCall,
  rows: ReadonlyMap<string, CallRecord>,
  now: number,
): ReadonlySet<string> {
  const last = stored.findLastIndex(({ message }) => message.role !== 'tool');
  const message = stored[last]?.message;
  if (message?.role !== 'assistant') return new Set();
  const answered = new Set(
    stored.slice(last).map((entry) => 'toolCallId' in entry.message && entry.message.toolCallId),
  );
  const open = (message.toolCalls ?? []).filter((call) => !answered.has(call.id) && !rows.has(call.id));
  const waits = open.some(({ id }) => {
    const ask = asks.get(id);
    if (ask?.kind !== 'permission') return false;
    return ask.resolution === undefined ? ask.expiresAt > now : ask.resolution.outcome === 'approved';
  });
  return new Set(waits ? open.map((call) => call.id) : []);
}

/** Why a call that a person was asked about did not run; undefined when the ask has nothing to do with it. */
export function faultOfAsk(ask: AskRecord | undefined): CallError | undefined {
  if (ask?.kind !== 'permission') return undefined;
  const outcome = ask.resolution?.outcome ?? 'unanswered';
  if (outcome === 'superseded') {
    return callError('denied', 'a new message came before anybody said whether it may run; it did not run', {
      hint: 'Follow the new message; call it again if it is still needed.',
    });
  }
  if (outcome === 'denied') {
    const reason = ask.resolution?.reason;
    return callError('denied', `the user refused it${reason === undefined ? '' : `: ${reason}`}; it did not run`, {
      hint: 'Do not try it again; ask what to do instead.',
    });
  }
  if (outcome !== 'unanswered') return undefined;
  return callError('unanswered', 'nobody answered whether it may run; it did not run', {
    hint: 'Go on without it, or ask the user.',
  });
}
