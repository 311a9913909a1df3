import { isToolwrightError, type Model, messageOf, type Usage } from '../core/index.ts';
import { createAbortScope } from './abort-scope.ts';
import { backoffMs, pause, RETRIES } from './backoff.ts';
import type { LoopEnd, LoopOptions } from './loop-options.ts';
import { runTurn, type TurnEnd } from './turn.ts';

/**
 * Asks the model, runs its calls, gives the results back, until it asks for nothing more. Always ends with
 * a `run_end` event, and only after every call has settled.
 */
export async function runLoop(options: LoopOptions): Promise<LoopEnd> {
  const { runId, emit, session } = options;
  emit({ type: 'run_start', runId, model: options.model.id });
  const scope = createAbortScope(session.signal);
  const state: LoopState = { steps: 0, usage: {}, failures: 0, model: options.model, onDisk: Promise.resolve() };
  let end: LoopEnd;
  try {
    end = await takeSteps(options, state, scope);
    await state.onDisk;
  } catch (error) {
    const code = isToolwrightError(error) ? error.code : 'internal';
    end = { reason: 'error', steps: state.steps, usage: state.usage, error: { code, message: messageOf(error) } };
  } finally {
    scope.dispose();
  }
  if (end.error) emit({ type: 'error', ...end.error, retryable: false });
  emit({
    type: 'run_end',
    runId,
    reason: end.reason,
    steps: end.steps,
    usage: end.usage,
    ...(end.error ? { error: end.error } : {}),
  });
  return end;
}

interface LoopState {
  steps: number;
  usage: Usage;
  /** Broken replies in a row. */
  failures: number;
  model: Model;
  /** The last turn's writing. */
  onDisk: Promise<void>;
}

async function takeSteps(
  options: LoopOptions,
  state: LoopState,
  scope: ReturnType<typeof createAbortScope>,
): Promise<LoopEnd> {
  const { runId, emit, session, clock } = options;
  const endWith = (reason: LoopEnd['reason'], error?: LoopEnd['error']): LoopEnd => ({
    reason,
    steps: state.steps,
    usage: state.usage,
    ...(error ? { error } : {}),
  });
  for (let step = 1; step <= options.maxSteps; ) {
    if (session.signal.aborted) return endWith('cancelled');
    await options.beforeRequest?.();
    emit({ type: 'turn_start', runId, step });
    const request = scope.child();
    let turn: TurnEnd;
    try {
      turn = await runTurn(options, state.model, step, request.signal);
    } finally {
      scope.release(request);
    }
    state.usage = addUsage(state.usage, turn.usage);
    state.onDisk = turn.onDisk;
    // A write that fails is told by the next one, or at the end.
    turn.onDisk.catch(() => {});
    const discarded = turn.outcome === 'broken' && !turn.committed;
    emit({ type: 'turn_end', runId, step, usage: turn.usage, ...(discarded ? { discarded } : {}) });
    if (!discarded) state.steps = step++;
    if (turn.outcome === 'cancelled') return endWith('cancelled');
    if (turn.outcome === 'stop' || turn.outcome === 'length') return endWith(turn.outcome);
    if (turn.outcome === 'tools') {
      state.failures = 0;
      continue;
    }
    const fault = turn.fault ?? { message: 'the reply was broken off', retryable: true };
    state.failures++;
    if (fault.retryable && state.failures <= RETRIES) {
      emit({ type: 'error', code: 'unavailable', message: fault.message, retryable: true });
      await pause(clock, backoffMs(state.failures, fault), session.signal);
    } else if (options.fallback && state.model !== options.fallback) {
      emit({
        type: 'error',
        code: 'unavailable',
        message: `${fault.message}; going on with ${options.fallback.id}`,
        retryable: true,
      });
      state.model = options.fallback;
      state.failures = 0;
    } else {
      return endWith('error', { code: 'unavailable', message: fault.message });
    }
  }
  return endWith('max_steps');
}

function addUsage(a: Usage, b: Usage): Usage {
  const sum: Record<string, number> = { ...a };
  for (const [key, value] of Object.entries(b)) if (typeof value === 'number') sum[key] = (sum[key] ?? 0) + value;
  return sum;
}
