import {
  type Clock,
  callError,
  errorOutput,
  messageOf,
  type NewId,
  onAbort,
  type QuestionAnswer,
  type ToolResult,
} from '../../core/index.ts';
import type { ServedHouse, ServedQuestion } from './served-house.ts';

/** How long a call waits for its person's answer. */
const ANSWER_MS = 5 * 60_000;
/** Calls that may wait for an answer at once. */
const MOST_OPEN = 256;

/** A call comes to its end, or to a question that somebody must answer first. */
export type CallStep = { readonly result: ToolResult } | { readonly id: string; readonly question: ServedQuestion };

/** The request that waits for a call's next step. */
export interface StepRequest {
  /** Aborted when the client gives up; the call is then cancelled. */
  readonly signal: AbortSignal;
  progress(text: string): void;
}

export interface OpenCalls {
  start(
    house: ServedHouse,
    call: { readonly name: string; readonly input: unknown; readonly canAsk: boolean },
    request: StepRequest,
  ): Promise<CallStep>;
  /** Goes on with a call that waits; undefined when it does not (any more). */
  answer(
    id: string,
    read: (question: ServedQuestion) => QuestionAnswer,
    request: StepRequest,
  ): Promise<CallStep> | undefined;
  /** Nobody will answer any more. */
  close(): void;
}

interface Waiting {
  readonly question: ServedQuestion;
  give(answer: QuestionAnswer): void;
  next(request: StepRequest): Promise<CallStep>;
}

/**
 * Calls that ask in their midst, for a protocol in which a question is the answer of one request and what was said
 * comes with the next (MCP 2026-07-28, `input_required`). Between the two the call stands still here.
 */
export function createOpenCalls({ clock, newId }: { readonly clock: Clock; readonly newId: NewId }): OpenCalls {
  const waiting = new Map<string, Waiting>();

  return {
    start(house, { name, input, canAsk }, request) {
      const line = createLine();
      const ask = (question: ServedQuestion): Promise<QuestionAnswer> => {
        if (waiting.size >= MOST_OPEN) return Promise.resolve({ outcome: 'unanswered' });
        const id = newId();
        return new Promise((resolve) => {
          const give = (answer: QuestionAnswer) => {
            clock.clear(timer);
            waiting.delete(id);
            resolve(answer);
          };
          const timer = clock.after(ANSWER_MS, () => give({ outcome: 'unanswered' }));
          waiting.set(id, { question, give, next: line.next });
          line.arrive({ id, question });
        });
      };
      const first = line.next(request);
      const call = { name, input, signal: line.signal, progress: line.progress };
      house.call(canAsk ? { ...call, ask: oneByOne(ask) } : call).then(
        (result) => line.arrive({ result }),
        (error: unknown) => line.arrive({ result: brokenResult(name, error) }),
      );
      return first;
    },
    answer(id, read, request) {
      const entry = waiting.get(id);
      if (entry === undefined) return undefined;
      const step = entry.next(request);
      entry.give(read(entry.question));
      return step;
    },
    close() {
      for (const { give } of [...waiting.values()]) give({ outcome: 'unanswered' });
    },
  };
}

/** One call's line to whichever request waits for it now. */
function createLine() {
  const cancelled = new AbortController();
  let current: { readonly request: StepRequest; arrive(step: CallStep): void } | undefined;
  return {
    signal: cancelled.signal,
    progress: (text: string) => current?.request.progress(text),
    next: (request: StepRequest) =>
      new Promise<CallStep>((resolve) => {
        const off = onAbort(request.signal, () => cancelled.abort(request.signal.reason));
        const arrive = (step: CallStep) => {
          off();
          current = undefined;
          resolve(step);
        };
        current = { request, arrive };
      }),
    arrive: (step: CallStep) => current?.arrive(step),
  };
}

/** A reply can carry one question at a time. */
function oneByOne<In, Out>(ask: (question: In) => Promise<Out>): (question: In) => Promise<Out> {
  let last: Promise<unknown> = Promise.resolve();
  return (question) => {
    const mine = last.then(() => ask(question));
    last = mine.catch(() => {});
    return mine;
  };
}

function brokenResult(name: string, error: unknown): ToolResult {
  return {
    callId: '',
    name,
    durationMs: 0,
    ...errorOutput(callError('internal', `${name} broke: ${messageOf(error)}`)),
  };
}
