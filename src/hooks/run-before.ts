import type { BeforeOutcome, BeforeVerdict, Hook, HookCall } from '../core/index.ts';
import { askHook, type HookPort } from './ask-hook.ts';

/**
 * Asks the before hooks in order. Each sees the input as the ones before it left it. A block ends it: the
 * hooks behind it are not asked. Of several asks or allows the first one's reason stands.
 */
export async function runBefore(
  hooks: readonly Hook[],
  call: HookCall,
  { clock, log }: HookPort,
): Promise<BeforeVerdict> {
  const notes: string[] = [];
  const failures: string[] = [];
  let verdict: Omit<BeforeVerdict, 'notes' | 'failures'> = { input: call.input, changed: false };
  for (const hook of hooks) {
    if (!hook.before) continue;
    const seen = { ...call, input: copyOf(verdict.input) };
    const answer = await askHook(() => hook.before?.(seen), { clock, timeoutMs: hook.timeoutMs, signal: call.signal });
    if ('failure' in answer) {
      log('warn', `the hook ${hook.name} failed before ${call.name}: ${answer.failure}`, { callId: call.id });
      if (hook.onFailure === 'continue' && !call.signal.aborted) {
        failures.push(`${hook.name}: ${answer.failure}`);
        continue;
      }
      const reason = `it has to agree and gave no answer (${answer.failure})`;
      verdict = { ...verdict, block: { hook: hook.name, reason } };
    } else if (answer.outcome) {
      verdict = join(verdict, hook.name, answer.outcome);
      if (answer.outcome.note) notes.push(answer.outcome.note);
    }
    if (verdict.block) break;
  }
  return { ...verdict, notes, failures };
}

/** What a hook changes in place is not judged again, so it must not run: only what it returns counts. */
function copyOf(input: unknown): unknown {
  try {
    return structuredClone(input);
  } catch {
    return input;
  }
}

function join<Verdict extends Omit<BeforeVerdict, 'notes' | 'failures'>>(
  verdict: Verdict,
  hook: string,
  outcome: BeforeOutcome,
): Verdict {
  if (outcome.block !== undefined) return { ...verdict, block: { hook, reason: outcome.block } };
  const { ask, allow } = outcome;
  return {
    ...verdict,
    ...('input' in outcome ? { input: outcome.input, changed: true } : {}),
    ...(ask === undefined ? {} : { ask: verdict.ask ?? { hook, reason: ask } }),
    ...(allow === undefined ? {} : { allow: verdict.allow ?? { hook, reason: allow } }),
  };
}
