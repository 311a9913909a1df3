import type { Clock, Hook, HookRunner, Log } from '../core/index.ts';
import { createMatcher } from './match-tool.ts';
import { runAfter } from './run-after.ts';
import { runBefore } from './run-before.ts';

export interface HookRunnerOptions {
  readonly clock: Clock;
  readonly log?: Log;
  /** The name that an alias in a hook's `match` stands for. */
  readonly canonical?: (name: string) => string;
}

/** Runs hooks one after the other, in the order in which they are given. */
export function createHookRunner(hooks: readonly Hook[], options: HookRunnerOptions): HookRunner {
  const { clock, log = () => {}, canonical = (name) => name } = options;
  const matched = hooks.map((hook) => ({ hook, matches: createMatcher(hook.match, canonical) }));
  const hooksFor = (name: string) => matched.flatMap(({ hook, matches }) => (matches(name) ? [hook] : []));
  return {
    has: (name) => hooksFor(name).length > 0,
    before: (call) => runBefore(hooksFor(call.name), call, { clock, log }),
    after: (call, result) => runAfter(hooksFor(call.name), call, result, { clock, log }),
  };
}
