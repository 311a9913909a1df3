import {
  type Clock,
  type Message,
  type Model,
  type ModelEvent,
  type ModelFault,
  type ModelRequest,
  messageOf,
  onAbort,
  type StopReason,
  systemClock,
  textOf,
  type Usage,
} from '../core/index.ts';

export interface ScriptedCall {
  readonly name?: string;
  /** An object is sent as JSON, a text as it is. */
  readonly arguments?: unknown;
  /** `call_<step>_<n>` when absent; null, numbers and empty texts are sent as they are. */
  readonly id?: unknown;
  /** The pieces in which the arguments come. */
  readonly deltas?: readonly string[];
  readonly delayMs?: number;
  /** The provider ends the call itself. */
  readonly ended?: boolean;
}

/** What the request must hold; the first thing that it does not is the fault. */
export interface ScriptedExpectation {
  readonly lastUserIncludes?: string;
  /** Held by one of the results since the last reply. */
  readonly lastResultIncludes?: string;
  readonly systemIncludes?: string;
  /** Names that are offered. */
  readonly tools?: readonly string[];
  readonly messages?: number;
}

export interface ScriptedStep {
  readonly expect?: ((request: ModelRequest) => void) | ScriptedExpectation;
  /** Before anything of the step. */
  readonly delayMs?: number;
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** The stream stays open this long before its end. */
  readonly endDelayMs?: number;
  /** The reply breaks here, after what stands above. */
  readonly error?: string | (Partial<ModelFault> & { readonly message: string });
  readonly reason?: StopReason;
  readonly usage?: Usage;
}

export interface ScriptedOptions {
  readonly id?: string;
  /** Default true: a request that no step is left for fails, and so does `assertDone` with steps left. */
  readonly strict?: boolean;
  readonly clock?: Clock;
}

export interface ScriptedModel extends Model {
  /** Every request so far, with its messages as they were. */
  readonly requests: readonly ModelRequest[];
  /** Throws when a step was not used or a request was not as expected. */
  assertDone(): void;
}

/** A model that follows a script, one step a request. */
export function createScriptedModel(steps: readonly ScriptedStep[], options: ScriptedOptions = {}): ScriptedModel {
  const { id = 'script', strict = true, clock = systemClock } = options;
  const requests: ModelRequest[] = [];
  const problems: string[] = [];
  return {
    id,
    requests,
    stream(request, { signal }) {
      requests.push({ ...request, messages: [...request.messages] });
      const number = requests.length;
      const step = steps[number - 1];
      if (step === undefined) {
        if (!strict) return play({ text: '(the script has ended)' }, number, signal, clock);
        problems.push(`request ${number} came, but the script has ${steps.length} steps`);
      } else {
        const problem = check(step, request);
        if (problem !== undefined) problems.push(`step ${number}: ${problem}`);
        else return play(step, number, signal, clock);
      }
      return play({ error: { message: problems.at(-1) ?? '', retryable: false } }, number, signal, clock);
    },
    assertDone() {
      const unused = strict ? steps.length - requests.length : 0;
      const all = unused > 0 ? [...problems, `${unused} of ${steps.length} steps were not used`] : problems;
      if (all.length > 0) throw new Error(`the script ${id} was not followed: ${all.join('; ')}`);
    },
  };
}

function check(step: ScriptedStep, request: ModelRequest): string | undefined {
  const { expect } = step;
  if (expect === undefined) return undefined;
  if (typeof expect === 'function') {
    try {
      expect(request);
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }
  const { messages } = request;
  const lacks = (what: string, found: string, wanted: string | undefined) =>
    wanted === undefined || found.includes(wanted) ? undefined : `${what} does not include ${JSON.stringify(wanted)}`;
  const results = messages.slice(messages.findLastIndex((message) => message.role === 'assistant') + 1);
  const missing = (expect.tools ?? []).filter((name) => !request.tools.some((tool) => tool.name === name));
  return (
    lacks(
      'the last user message',
      contentOf(messages.findLast((message) => message.role === 'user')),
      expect.lastUserIncludes,
    ) ??
    lacks('the last result', results.map(contentOf).join('\n'), expect.lastResultIncludes) ??
    lacks('the system text', request.system ?? '', expect.systemIncludes) ??
    (missing.length > 0 ? `not offered: ${missing.join(', ')}` : undefined) ??
    (expect.messages !== undefined && expect.messages !== messages.length
      ? `${messages.length} messages came, not ${expect.messages}`
      : undefined)
  );
}

const contentOf = (message: Message | undefined) => (message === undefined ? '' : textOf(message.content));

async function* play(
  step: ScriptedStep,
  number: number,
  signal: AbortSignal,
  clock: Clock,
): AsyncGenerator<ModelEvent, void, void> {
  for (const event of eventsOf(step, number)) {
    if (typeof event === 'number') await wait(event, signal, clock);
    if (signal.aborted) break;
    if (typeof event !== 'number') yield event;
  }
  if (signal.aborted) yield { type: 'model_end', reason: 'aborted' };
}

/** The step's events; a number is a pause in milliseconds. */
function eventsOf(step: ScriptedStep, number: number): (ModelEvent | number)[] {
  const events: (ModelEvent | number)[] = [];
  if (step.delayMs) events.push(step.delayMs);
  if (step.thinking) events.push({ type: 'thinking_delta', text: step.thinking });
  if (step.text) events.push({ type: 'text_delta', text: step.text });
  for (const [key, call] of (step.calls ?? []).entries()) {
    if (call.delayMs) events.push(call.delayMs);
    const id = call.id === undefined ? `call_${number}_${key + 1}` : call.id;
    events.push({ type: 'tool_call_start', key, id, ...(call.name === undefined ? {} : { name: call.name }) });
    const whole = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {});
    for (const text of call.deltas ?? [whole]) events.push({ type: 'tool_call_delta', key, text });
    if (call.ended) events.push({ type: 'tool_call', key });
  }
  if (step.endDelayMs) events.push(step.endDelayMs);
  events.push(endOf(step));
  return events;
}

function endOf(step: ScriptedStep): ModelEvent {
  const { error, usage } = step;
  const fault: ModelFault | undefined =
    error === undefined ? undefined : { retryable: true, ...(typeof error === 'string' ? { message: error } : error) };
  const reason = step.reason ?? (fault ? 'error' : step.calls?.length ? 'tool_calls' : 'stop');
  return { type: 'model_end', reason, ...(usage ? { usage } : {}), ...(fault ? { fault } : {}) };
}

function wait(ms: number, signal: AbortSignal, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(ms, () => {
      unlisten();
      resolve();
    });
    const unlisten = onAbort(signal, () => {
      clock.clear(timer);
      resolve();
    });
  });
}
