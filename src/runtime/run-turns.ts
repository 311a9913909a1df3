import type { LoopEnd, LoopOptions } from '../agent/index.ts';
import {
  type Content,
  type EventBody,
  isToolwrightError,
  type JsonObject,
  type Model,
  messageOf,
  type UserMessage,
} from '../core/index.ts';
import type { AskDesk } from './ask-desk.ts';
import type { BackgroundTasks } from './background-tasks.ts';
import { hookedInput, hookedLoop, sumUsage } from './hooked-run.ts';
import { type Ledger, summaryOf } from './ledger.ts';
import type { Observer } from './observer.ts';
import type { RunResult } from './run.ts';
import type { SessionHooks } from './session-hooks.ts';
import { settleHeld } from './settle-held.ts';
import type { Work } from './work.ts';

/** What a run needs that does not change from run to run. */
export type LoopParts = Omit<
  LoopOptions,
  'runId' | 'model' | 'fallback' | 'session' | 'transcript' | 'emit' | 'maxSteps' | 'beforeRequest'
> & {
  readonly maxSteps: number;
  readonly model: () => Promise<{ model: Model; fallback?: Model }>;
  readonly session: Omit<LoopOptions['session'], 'signal' | 'forceSignal' | 'journal'>;
  readonly runLoop: (options: LoopOptions) => Promise<LoopEnd>;
  /** What ended in the background and is told before the next request. */
  readonly announce: BackgroundTasks['announce'];
  /** Facts told right after the run has begun. */
  readonly opening: () => readonly EventBody[];
  readonly observer: Observer;
  readonly desk: AskDesk;
  readonly hooks?: SessionHooks;
};

/** One run inside an entered ledger; its `run_end` is given back, not sent. */
export async function runTurns(
  parts: LoopParts,
  ledger: Ledger,
  runId: string,
  { content: input, metadata }: { readonly content: Content; readonly metadata?: JsonObject },
  work: Work,
): Promise<RunResult & { last: EventBody }> {
  const { runLoop, opening, announce, observer, desk, hooks, model: resolve, session, ...rest } = parts;
  const { transcript, writer } = ledger;
  const models = await resolve();
  await settleHeld({ ...parts, ledger, runId, work });
  const taken = hooks === undefined ? { content: input } : await hookedInput(hooks, input, work.cancelSignal);
  const refused = 'refused' in taken ? taken.refused : undefined;
  const user: UserMessage = {
    id: parts.newId(),
    role: 'user',
    content: 'content' in taken ? taken.content : input,
    ...(metadata ? { metadata } : {}),
  };
  ledger.update({
    model: models.model.id,
    ...(ledger.record.summary === '' ? { summary: summaryOf(input) } : {}),
  });
  if (refused === undefined) await transcript.put([user]);

  let last: Extract<EventBody, { type: 'run_end' }> | undefined;
  let begun = false;
  const emit = (event: EventBody): void => {
    observer.event(event);
    if (event.type === 'run_end') {
      last = event;
      return;
    }
    if (event.type === 'run_start' && begun) return;
    writer.emit(event);
    if (event.type !== 'run_start') return;
    begun = true;
    if (refused === undefined) writer.emit({ type: 'message', message: user });
    for (const fact of opening()) writer.emit(fact);
  };
  const signal = work.cancelSignal;
  const turns = () =>
    runLoop({
      ...rest,
      ...models,
      runId,
      session: { ...session, signal, forceSignal: work.forceSignal, journal: writer.journal(runId) },
      transcript,
      emit,
      async beforeRequest() {
        await announce(async (news) => {
          for (const { event } of news) emit(event);
          await transcript.put(news.map(({ message }) => message));
        });
      },
      onReply: observer.reply,
    });
  const put = async (message: UserMessage) => {
    await transcript.put([message]);
    writer.emit({ type: 'message', message });
  };
  const whole = (): Promise<LoopEnd> => {
    if (refused !== undefined) return refuse(refused, runId, models.model.id, emit);
    return hooks ? hookedLoop({ hooks, run: turns, put, newId: parts.newId, signal }) : turns();
  };
  const end = await whole().catch((error: unknown): LoopEnd => {
    const code = isToolwrightError(error) ? error.code : 'internal';
    return { reason: 'error', steps: 0, usage: {}, error: { code, message: messageOf(error) } };
  });
  await desk.idle();
  const broken = writer.broken;
  const { reason, steps, usage, error } =
    broken === undefined
      ? end
      : { ...end, reason: 'error' as const, error: { code: broken.code, message: broken.message } };
  ledger.update({ usage: sumUsage(ledger.record.usage, usage) });
  const facts = { runId, reason, steps, usage, ...(error === undefined ? {} : { error }) };
  return {
    sessionId: ledger.record.id,
    ...facts,
    text: lastText(transcript.messages),
    last: { ...(broken === undefined ? last : undefined), type: 'run_end', ...facts },
  };
}

function lastText(messages: Ledger['transcript']['messages']): string {
  const message = messages.at(-1);
  return message?.role === 'assistant' ? message.content : '';
}

/** A run whose message was not taken: no model is asked. */
async function refuse(
  message: string,
  runId: string,
  model: string,
  emit: (event: EventBody) => void,
): Promise<LoopEnd> {
  const error = { code: 'blocked', message };
  emit({ type: 'run_start', runId, model });
  emit({ type: 'error', ...error, retryable: false });
  return { reason: 'error', steps: 0, usage: {}, error };
}
