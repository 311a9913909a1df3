import type { ExecutionSession, Executor } from '../core/index.ts';
import type { AskDesk } from './ask-desk.ts';
import type { Ledger } from './ledger.ts';
import type { Work } from './work.ts';

export interface HeldParts {
  readonly ledger: Ledger;
  readonly desk: AskDesk;
  readonly executor: Executor;
  readonly session: Omit<ExecutionSession, 'step' | 'signal' | 'forceSignal' | 'journal'>;
  readonly runId: string;
  readonly work: Work;
}

/**
 * Before a new message: questions that an earlier process left open are superseded; what a person has allowed
 * since then runs now, as it was asked; then the turn gets its results and the conversation is whole.
 */
export async function settleHeld({ ledger, desk, executor, session, runId, work }: HeldParts): Promise<void> {
  const { held, transcript, writer } = ledger;
  const allowed = await desk.takeOver(held);
  if (held.size === 0) return;
  const last = transcript.messages.findLast((message) => message.role === 'assistant');
  const calls = last?.role === 'assistant' ? (last.toolCalls ?? []) : [];
  const ready = calls.filter((call) => allowed.has(call.id));
  if (ready.length > 0) {
    const { history: _, ...rest } = session;
    const execution = executor.execute(ready, {
      ...rest,
      ask: session.ask ?? desk.taken,
      step: 0,
      signal: work.cancelSignal,
      forceSignal: work.forceSignal,
      journal: writer.journal(runId),
      emit: writer.emit,
    });
    await execution.results;
    await desk.idle();
  }
  await ledger.settle();
}
