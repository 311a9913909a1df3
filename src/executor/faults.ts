import { type CallError, callError, isObject, isToolwrightError, toCallError } from '../core/index.ts';

/** The words of results that the executor itself gives. */

export function didNotRun(name: string): CallError {
  return callError('cancelled', `${name} did not run: the run was cancelled before it started.`, {
    hint: 'Nothing was done. Call it again if it is still wanted.',
    retryable: true,
  });
}

export function cancelledWhileRunning(name: string): CallError {
  return callError('cancelled', `${name} was ended because the run was cancelled.`, {
    hint: 'What it had done by then may be incomplete; look before you call it again.',
    retryable: true,
  });
}

export function forcedToEnd(name: string, changes: boolean): CallError {
  if (!changes) return cancelledWhileRunning(name);
  return callError(
    'uncertain',
    `${name} was still at work when the run was cancelled a second time; nobody knows whether it took effect.`,
    {
      hint: 'Find out what it did before you call it again.',
    },
  );
}

export function tookTooLong(name: string, ms: number, changes: boolean): CallError {
  return callError('timeout', `${name} was ended after ${seconds(ms)}, its time limit.`, {
    hint: changes
      ? 'It may have done part of its work; look before you call it again, with less to do or a longer limit.'
      : 'Call it again with less to do, or a longer limit where the tool takes one.',
    retryable: true,
  });
}

export function siblingAborted(name: string, failed: string): CallError {
  return callError(
    'sibling_aborted',
    `${name} was not run, because ${failed}, which it depends on, failed. This was automatic; the user did not interrupt.`,
    {
      hint: `Deal with the failure of ${failed} first; call ${name} again if it does not need it.`,
      retryable: true,
    },
  );
}

export function siblingEnded(name: string, failed: string): CallError {
  return callError(
    'sibling_aborted',
    `${name} was ended, because ${failed} of the same turn failed. This was automatic; the user did not interrupt.`,
    {
      hint: `Deal with the failure of ${failed} first; call ${name} again if it is still wanted.`,
      retryable: true,
    },
  );
}

export function stillBusy(name: string, holder: string): CallError {
  return callError(
    'unavailable',
    `${name} did not run: ${holder}, which works on the same thing, was given up and still has not ended.`,
    {
      hint: 'Try again later, or work on something else.',
      retryable: true,
    },
  );
}

export function repeatedCall(name: string, earlierId: string): CallError {
  return callError(
    'duplicate_call',
    `${name} was called again with the same input, and the last rounds gave the same result. It was not run; the result stands above, in answer to ${earlierId}.`,
    {
      hint: 'Use the result that you have, change the input, or do something else.',
    },
  );
}

/**
 * What a tool threw. Where it lost sight of work that had begun (`unavailable`, with `data.started`), nobody knows
 * whether a call that changes something took effect.
 */
export function thrownFault(error: unknown, changes: boolean): CallError {
  const fault = toCallError(error);
  const isLost =
    isToolwrightError(error) && error.code === 'unavailable' && isObject(error.data) && error.data['started'];
  return changes && isLost === true ? { ...fault, code: 'uncertain', retryable: false } : fault;
}

export function internalFault(name: string, message: string): CallError {
  return callError('internal', `${name} could not be run: ${message}`, {
    hint: 'This is a fault of the system, not of your input.',
  });
}

const seconds = (ms: number) => (ms >= 1_000 ? `${Math.round(ms / 100) / 10} s` : `${ms} ms`);
