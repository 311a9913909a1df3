import type { EventBody, ExecutionSession, Executor, ToolResult } from '../core/index.ts';
import { ToolwrightError } from '../core/index.ts';
import type { AskDesk } from './ask-desk.ts';
import type { Ledger } from './ledger.ts';
import type { Observer } from './observer.ts';
import type { DirectCall } from './session.ts';

/** One call through the whole executor; journalled and kept as events, but no part of the conversation. */
export async function callTool(
  executor: Executor,
  session: Omit<ExecutionSession, 'step' | 'signal'>,
  ledger: Ledger,
  desk: AskDesk,
  runId: string,
  { name, input, work, onEvent }: DirectCall,
  observer: Observer,
): Promise<ToolResult> {
  const emit = (event: EventBody): void => {
    observer.event(event);
    ledger.writer.emit(event);
    onEvent?.(event);
  };
  const { history: _, ...rest } = session;
  const execution = executor.execute([{ name, arguments: input }], {
    ...rest,
    step: 0,
    signal: work.cancelSignal,
    forceSignal: work.forceSignal,
    journal: ledger.writer.journal(runId),
    emit,
  });
  const [result] = await execution.results;
  await desk.idle();
  if (result === undefined) throw new ToolwrightError('internal', `the call of ${name} gave no result`);
  // No conversation holds what it gave, so nothing may be told as shown already.
  session.context.files.hide([result.callId]);
  return result;
}
