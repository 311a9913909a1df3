import { type Ask, type Clock, type Json, type Log, messageOf, onAbort } from '../core/index.ts';
import type { AskResolution, AskStore } from '../store/index.ts';
import type { AskDecision, Asks } from './asks.ts';

/** What a person said: a decision, or that there is none. */
export type AskReply =
  | ({ readonly outcome: 'approved' } & Pick<AskDecision, 'scope' | 'rule' | 'place'>)
  | { readonly outcome: 'denied' | 'declined'; readonly reason?: string }
  | { readonly outcome: 'answered'; readonly answers: Readonly<Record<string, Json>> }
  | { readonly outcome: 'unanswered' };

/**
 * Puts an ask to the person who is here. `signal` is aborted when it has its end from elsewhere: another
 * terminal, its expiry, a cancel.
 */
export type AskHandler = (ask: Ask, signal: AbortSignal) => Promise<AskReply>;

export interface AskWaitOptions {
  readonly store: AskStore;
  readonly asks: Asks;
  readonly onAsk: AskHandler | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Waits for an ask's end. Whatever moves first (an answer here or in another process, the expiry, a cancel)
 * is decided by the store alone, and its row is what is given back.
 */
export function createAskWait({ store, asks, onAsk, clock, log }: AskWaitOptions) {
  return async (ask: Ask, signal: AbortSignal): Promise<AskResolution> => {
    const over = new AbortController();
    const done = new Promise<AskResolution>((resolve, reject) => {
      const look = async () => {
        if (over.signal.aborted) return;
        const record = await store.get(ask.id);
        if (record?.resolution !== undefined) resolve(record.resolution);
        else if (record === undefined) resolve({ outcome: 'cancelled', by: 'removed', at: clock.now() });
      };
      const soon = () => void look().catch(reject);
      const settle = (outcome: AskResolution['outcome'], by: string) =>
        store.settle(ask.id, { outcome, by, at: clock.now() }).then(look).catch(reject);
      const leave = store.watch(soon);
      const timer = clock.after(ask.expiresAt - clock.now(), () => void settle('unanswered', 'time'));
      const off = onAbort(signal, () => void settle('cancelled', 'cancel'));
      onAbort(over.signal, () => {
        leave();
        clock.clear(timer);
        off();
      });
      const consult = async () => {
        const reply = await onAsk?.(ask, over.signal);
        if (reply === undefined || over.signal.aborted) return;
        if (reply.outcome === 'unanswered') return settle('unanswered', 'person');
        const { outcome: decision, ...rest } = reply;
        const { sessionId, hash } = ask;
        const receipt = await asks.resolve(ask.id, { ...rest, sessionId, hash, decision, by: 'person' });
        if (receipt.warning !== undefined) log('warn', receipt.warning, { ask: ask.id });
        if (receipt.outcome !== 'invalid') return look();
        log('warn', `the ask ${ask.id} has no answer: ${receipt.message}`, { ask: ask.id });
        return settle('unanswered', 'person');
      };
      consult().catch((error: unknown) => {
        if (over.signal.aborted) return;
        log('warn', `the ask ${ask.id} could not be put to the person: ${messageOf(error)}`, { ask: ask.id });
        void settle('unanswered', 'person');
      });
      // What was answered between its opening and the watch.
      soon();
    });
    return done.finally(() => over.abort());
  };
}
