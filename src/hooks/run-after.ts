import {
  type AfterVerdict,
  callError,
  errorOutput,
  type Hook,
  type HookCall,
  type ToolOutput,
  type ToolResult,
} from '../core/index.ts';
import { askHook, type HookPort } from './ask-hook.ts';

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
    const answer = await askHook(() => hook.after?.(call, seen), { clock, timeoutMs: hook.timeoutMs });
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

const identityOf = ({ callId, name, durationMs }: ToolResult) => ({ callId, name, durationMs });

/** A result that its judge has not seen does not leave. */
function withheld(hook: string, failure: string): ToolOutput {
  return errorOutput(
    callError('blocked', `The call ran, but its result is withheld: the hook ${hook} did not pass it (${failure}).`, {
      hint: 'Do not run it again for the result; go on without it, or ask the user to mend the hook.',
    }),
  );
}
