import { type Clock, type Log, messageOf, onAbort, type Timer } from '../core/index.ts';

/** What it takes to ask hooks. */
export interface HookPort {
  readonly clock: Clock;
  readonly log: Log;
}

/** How long a hook may take when it does not say. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** A hook's answer, or why there is none. */
export type HookAnswer<Outcome> = { readonly outcome: Outcome | undefined } | { readonly failure: string };

export interface AskOptions {
  readonly clock: Clock;
  readonly timeoutMs: number | undefined;
  readonly signal?: AbortSignal;
}

const NOTHING = Symbol('nothing');

/**
 * Asks a hook and waits no longer than `timeoutMs`, and not at all once `signal` is aborted. An answer that
 * comes later is dropped. Never rejects.
 */
export async function askHook<Outcome extends object>(
  ask: () => Outcome | undefined | void | Promise<Outcome | undefined | void>,
  { clock, timeoutMs = DEFAULT_TIMEOUT_MS, signal }: AskOptions,
): Promise<HookAnswer<Outcome>> {
  let timer: Timer | undefined;
  let stopListening = () => {};
  const stopped = new Promise<HookAnswer<Outcome>>((resolve) => {
    timer = clock.after(timeoutMs, () => resolve({ failure: `it did not answer within ${timeoutMs} ms` }));
    if (signal) stopListening = onAbort(signal, () => resolve({ failure: 'the run was cancelled before it answered' }));
  });
  try {
    return await Promise.race([answerOf(ask), stopped]);
  } finally {
    if (timer !== undefined) clock.clear(timer);
    stopListening();
  }
}

async function answerOf<Outcome extends object>(
  ask: () => Outcome | undefined | void | Promise<Outcome | undefined | void>,
): Promise<HookAnswer<Outcome>> {
  try {
    const outcome: unknown = (await ask()) ?? NOTHING;
    if (outcome === NOTHING) return { outcome: undefined };
    if (typeof outcome === 'object') return { outcome: outcome as Outcome };
    return { failure: `its answer is no object but ${JSON.stringify(outcome) ?? typeof outcome}` };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}
