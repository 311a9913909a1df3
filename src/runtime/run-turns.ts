import type { LoopEnd, LoopOptions } from '../agent/index.ts';
import {
  type Content,
  type EventBody,
  isToolwrightError,
  type Model,
  messageOf,
  type Usage,
  type UserMessage,
} from '../core/index.ts';
import type { AskDesk } from './ask-desk.ts';
import { type Ledger, summaryOf } from './ledger.ts';
import type { RunResult } from './run.ts';
import { settleHeld } from './settle-held.ts';
import type { Work } from './work.ts';

/** What a run needs that does not change from run to run. */
export type LoopParts = Omit<
  LoopOptions,
  'runId' | 'model' | 'fallback' | 'session' | 'transcript' | 'emit' | 'maxSteps'
> & {
  readonly maxSteps: number;
  readonly model: () => Promise<{ model: Model; fallback?: Model }>;
  readonly session: Omit<LoopOptions['session'], 'signal' | 'forceSignal' | 'journal'>;
  readonly runLoop: (options: LoopOptions) => Promise<LoopEnd>;
  /** Facts told right after the run has begun. */
  readonly opening: () => readonly EventBody[];
  readonly desk: AskDesk;
};

/** One run inside an entered ledger; its `run_end` is given back, not sent. */
export async function runTurns(
  parts: LoopParts,
  ledger: Ledger,
  runId: string,
  input: Content,
  work: Work,
): Promise<RunResult & { last: EventBody }> {
  const { runLoop, opening, desk, model: resolve, session, ...rest } = parts;
  const { transcript, writer } = ledger;
  const models = await resolve();
  await settleHeld({ ...parts, ledger, runId, work });
  const user: UserMessage = { id: parts.newId(), role: 'user', content: input };
  ledger.update({
    model: models.model.id,
    ...(ledger.record.summary === '' ? { summary: summaryOf(input) } : {}),
  });
  await transcript.put([user]);

  let last: Extract<EventBody, { type: 'run_end' }> | undefined;
  const emit = (event: EventBody): void => {
    if (event.type === 'run_end') {
      last = event;
      return;
    }
    writer.emit(event);
    if (event.type !== 'run_start') return;
    writer.emit({ type: 'message', message: user });
    for (const fact of opening()) writer.emit(fact);
  };
  const end = await runLoop({
    ...rest,
    ...models,
    runId,
    session: {
      ...session,
      signal: work.cancelSignal,
      forceSignal: work.forceSignal,
      journal: writer.journal(runId),
    },
    transcript,
    emit,
  }).catch((error: unknown): LoopEnd => {
    const code = isToolwrightError(error) ? error.code : 'internal';
    return { reason: 'error', steps: 0, usage: {}, error: { code, message: messageOf(error) } };
  });
  await desk.idle();
  const broken = writer.broken;
  const { reason, steps, usage, error } =
    broken === undefined
      ? end
      : { ...end, reason: 'error' as const, error: { code: broken.code, message: broken.message } };
  ledger.update({ usage: sum(ledger.record.usage, usage) });
  const facts = { runId, reason, steps, usage, ...(error === undefined ? {} : { error }) };
  return {
    sessionId: ledger.record.id,
    ...facts,
    text: lastText(transcript.messages),
    last: broken === undefined && last !== undefined ? last : { type: 'run_end', ...facts },
  };
}

function lastText(messages: Ledger['transcript']['messages']): string {
  const message = messages.at(-1);
  return message?.role === 'assistant' ? message.content : '';
}

function sum(a: Usage, b: Usage): Usage {
  const total: Record<string, number> = { ...a } as Record<string, number>;
  for (const [key, value] of Object.entries(b)) if (typeof value === 'number') total[key] = (total[key] ?? 0) + value;
  return total;
}
