import {
  type AfterOutcome,
  type AfterVerdict,
  callError,
  errorOutput,
  type Hook,
  type HookCall,
  isObject,
  type ToolOutput,
  type ToolResult,
} from '../core/index.ts';
import { askHook, type HookAnswer, type HookPort } from './ask-hook.ts';

/**
 * Shows a result to the after hooks in order, each once; each sees it as the ones before it left it. They
 * are heard in a cancelled run too, since every result passes them.
 */
export async function runAfter(
  hooks: readonly Hook[],
  call: HookCall,
  result: ToolResult,
  { clock, log }: HookPort,
): Promise<AfterVerdict> {
  const notes: string[] = [];
  const failures: string[] = [];
  const metrics: Record<string, number> = {};
  let output: ToolOutput | undefined;
  for (const hook of hooks) {
    if (!hook.after) continue;
    const seen = output ? { ...identityOf(result), ...output } : result;
    const answer = checked(await askHook(() => hook.after?.(call, seen), { clock, timeoutMs: hook.timeoutMs }));
    if ('failure' in answer) {
      log('warn', `the hook ${hook.name} failed after ${call.name}: ${answer.failure}`, { callId: call.id });
      failures.push(`${hook.name}: ${answer.failure}`);
      if (hook.onFailure === 'deny') output = withheld(hook.name, answer.failure);
    } else if (answer.outcome) {
      output = answer.outcome.output ?? output;
      Object.assign(metrics, answer.outcome.metrics);
      if (answer.outcome.note) notes.push(answer.outcome.note);
    }
  }
  return { ...(output ? { output } : {}), notes, metrics, failures };
}

/** An output that has no content would cost the call its result, so it counts as no answer. */
function checked(answer: HookAnswer<AfterOutcome>): HookAnswer<AfterOutcome> {
  const output: unknown = 'outcome' in answer ? (answer.outcome?.output ?? undefined) : undefined;
  if (output === undefined) return answer;
  const content: unknown = isObject(output) ? output['content'] : undefined;
  if (typeof content === 'string' || (Array.isArray(content) && content.every(isObject))) return answer;
  return { failure: 'its output has no content, which is a text or a list of parts' };
}

const identityOf = ({ callId, name, durationMs }: ToolResult) => ({ callId, name, durationMs });

/** A result that its judge has not seen does not leave. */
function withheld(hook: string, failure: string): ToolOutput {
  return errorOutput(
    callError('blocked', `The call ran, but its result is withheld: the hook ${hook} did not pass it (${failure}).`, {
      hint: 'Do not run it again for the result; go on without it, or ask the user to mend the hook.',
    }),
  );
}
