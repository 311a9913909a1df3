import { type CallError, type ExecutionSession, messageOf, toCallError } from '../core/index.ts';
import type { Ticket } from './claim-table.ts';
import type { Entry } from './entry.ts';
import { didNotRun, internalFault, stillBusy } from './faults.ts';
import { faultOfAnswer, nobodyToAsk, type Passed } from './judge.ts';
import type { Slots } from './slots.ts';

type Start = (end: (fault?: CallError) => void) => () => void;

/** A wait that a cancel or a failing sibling can end; gives the fault, or undefined when it may go on. */
function waitInterruptibly(entry: Entry, signal: AbortSignal, start: Start): Promise<CallError | undefined> {
  if (signal.aborted) return Promise.resolve(didNotRun(entry.name));
  return new Promise((resolve) => {
    let leave: () => void = () => {};
    const end = (fault?: CallError) => {
      if (entry.interrupt !== end) return;
      entry.interrupt = undefined;
      leave();
      resolve(fault);
    };
    entry.interrupt = end;
    leave = start(end);
  });
}

/** Puts the call's question to a person; with nobody there it is denied. */
export async function waitForPerson(
  entry: Entry,
  passed: Passed,
  session: ExecutionSession,
): Promise<CallError | undefined> {
  const { ask, signal } = session;
  const reason = passed.ask ?? '';
  if (!ask) {
    const { call, facts } = passed;
    const suggestions = session.policy.suggest?.({ name: call.name, input: call.input, facts });
    return nobodyToAsk(entry.name, reason, suggestions);
  }
  return waitInterruptibly(entry, signal, (end) => {
    ask({ callId: entry.id, name: entry.name, input: entry.input, facts: passed.facts, reason }, signal)
      .then((answer) => faultOfAnswer(entry.name, answer))
      .then(end, (error) => end(internalFault(entry.name, messageOf(error))));
    return () => {};
  });
}

/** Waits for the earlier calls that this one conflicts with. */
export function waitForClaims(entry: Entry, ticket: Ticket, signal: AbortSignal): Promise<CallError | undefined> {
  return waitInterruptibly(entry, signal, (end) => {
    ticket.onReady = () => end();
    ticket.onStuck = (holder) => end(stillBusy(entry.name, holder));
    return () => {
      ticket.onReady = undefined;
      ticket.onStuck = undefined;
    };
  });
}

/** Waits until the call has been judged again. */
export function waitForVerdict(
  entry: Entry,
  signal: AbortSignal,
  verdict: Promise<CallError | undefined>,
): Promise<CallError | undefined> {
  return waitInterruptibly(entry, signal, (end) => {
    verdict.then(end, (error) => end(toCallError(error, 'internal')));
    return () => {};
  });
}

/** Waits for one of the turn's places. */
export function waitForSlot(entry: Entry, slots: Slots, signal: AbortSignal): Promise<CallError | undefined> {
  return waitInterruptibly(entry, signal, (end) => slots.take(() => end()));
}
