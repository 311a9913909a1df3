import type { Reply } from '../agent/index.ts';
import type { EventBody, HookRunner, Masker, SessionInfo } from '../core/index.ts';

/** Watches a session's runs; it never waits and never throws. */
export interface Observer {
  event(event: EventBody): void;
  reply(reply: Reply): void;
  /** What a hook measured after a call. */
  measured(tool: string, values: Readonly<Record<string, number>>): void;
}

/** Watches all sessions: gives an observer for each, which has what it tells of contents masked. */
export type Observe = (session: Pick<SessionInfo, 'id' | 'agentName'>, masker: Masker) => Observer;

export function joinObservers(observers: readonly Observer[]): Observer {
  if (observers.length === 1) return observers[0] as Observer;
  return {
    event: (event) => observers.forEach((observer) => void observer.event(event)),
    reply: (reply) => observers.forEach((observer) => void observer.reply(reply)),
    measured: (tool, values) => observers.forEach((observer) => void observer.measured(tool, values)),
  };
}

/** Hooks whose measurements reach the observer. */
export function measuredHooks(hooks: HookRunner, observer: Observer): HookRunner {
  return {
    ...hooks,
    async after(call, result) {
      const verdict = await hooks.after(call, result);
      observer.measured(call.name, verdict.metrics);
      return verdict;
    },
  };
}
