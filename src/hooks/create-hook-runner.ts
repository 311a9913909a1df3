import type { AfterVerdict, BeforeVerdict, Clock, Hook, HookCall, HookRunner, Log, ToolResult } from '../core/index.ts';
import { callHook } from './call-hook.ts';
import { matchesTool } from './matches.ts';

const TIMEOUT_MS = 60_000;

export interface HookRunnerOptions {
  readonly clock: Clock;
  readonly log?: Log;
}

/**
 * Runs hooks in the order in which they stand, one after the other: each sees what the one before it made
 * of the input or of the output. A block ends the row.
 */
export function createHookRunner(hooks: readonly Hook[], { clock, log }: HookRunnerOptions): HookRunner {
  const byTool = new Map<string, readonly Hook[]>();
  const hooksFor = (name: string): readonly Hook[] => {
    let found = byTool.get(name);
    if (found === undefined) {
      found = hooks.filter((hook) => matchesTool(hook, name));
      byTool.set(name, found);
    }
    return found;
  };
  const report = (hook: Hook, failure: string) => {
    log?.('warn', `the hook ${hook.name} failed: ${failure}`, { hook: hook.name });
    return `${hook.name}: ${failure}`;
  };

  return {
    has: (name) => hooksFor(name).length > 0,

    async before(call) {
      let verdict: BeforeVerdict = { input: call.input, changed: false, notes: [], failures: [] };
      for (const hook of hooksFor(call.name)) {
        if (!hook.before) continue;
        const current: HookCall = { ...call, input: verdict.input };
        const answer = await callHook(clock, hook.timeoutMs ?? TIMEOUT_MS, () => hook.before?.(current));
        if ('failure' in answer) {
          verdict = { ...verdict, failures: [...verdict.failures, report(hook, answer.failure)] };
          if ((hook.onFailure ?? 'deny') === 'deny') {
            return { ...verdict, block: { hook: hook.name, reason: `the hook failed: ${answer.failure}` } };
          }
          continue;
        }
        verdict = join(verdict, hook, answer.value ?? {});
        if (verdict.block) return verdict;
      }
      return verdict;
    },

    async after(call, result) {
      let verdict: AfterVerdict = { notes: [], metrics: {}, failures: [] };
      let current: ToolResult = result;
      for (const hook of hooksFor(call.name)) {
        if (!hook.after) continue;
        const answer = await callHook(clock, hook.timeoutMs ?? TIMEOUT_MS, () => hook.after?.(call, current));
        if ('failure' in answer) {
          verdict = { ...verdict, failures: [...verdict.failures, report(hook, answer.failure)] };
          if (hook.onFailure === 'deny') {
            const content = `The result is withheld: the hook ${hook.name} failed (${answer.failure}).`;
            const error = { code: 'blocked' as const, message: content, retryable: false };
            return { ...verdict, output: { content, error } };
          }
          continue;
        }
        const { output, metrics, note } = answer.value ?? {};
        if (output) current = { ...output, callId: result.callId, name: result.name, durationMs: result.durationMs };
        verdict = {
          ...verdict,
          ...(output ? { output } : {}),
          metrics: { ...verdict.metrics, ...metrics },
          notes: note === undefined ? verdict.notes : [...verdict.notes, note],
        };
      }
      return verdict;
    },
  };
}

type Outcome = { block?: string; input?: unknown; note?: string; ask?: string; allow?: string };

function join(verdict: BeforeVerdict, hook: Hook, outcome: Outcome): BeforeVerdict {
  const named = (reason: string) => ({ hook: hook.name, reason });
  return {
    ...verdict,
    ...('input' in outcome ? { input: outcome.input, changed: true } : {}),
    ...(outcome.note === undefined ? {} : { notes: [...verdict.notes, outcome.note] }),
    ...(outcome.block === undefined ? {} : { block: named(outcome.block) }),
    ...(outcome.ask === undefined ? {} : { ask: verdict.ask ?? named(outcome.ask) }),
    ...(outcome.allow === undefined ? {} : { allow: verdict.allow ?? named(outcome.allow) }),
  };
}
