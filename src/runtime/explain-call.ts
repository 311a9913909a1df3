import { type ExecutionSession, isToolwrightError, type SuggestedRule } from '../core/index.ts';
import { inspectCall } from '../executor/index.ts';
import type { ExplainingPolicy, Explanation } from '../policy/index.ts';

export interface CallExplanation extends Explanation {
  /** Rules that would allow the call, from narrow to wide. */
  readonly suggestions: readonly SuggestedRule[];
}

/** What would become of a call and why, rule by rule; nothing runs. Throws what is wrong with the call itself. */
export async function explainCall(
  name: string,
  input: unknown,
  session: Pick<ExecutionSession, 'tools' | 'info' | 'context'> & { readonly policy: ExplainingPolicy },
  parts: Parameters<typeof inspectCall>[2],
): Promise<CallExplanation> {
  try {
    const call = await inspectCall({ name, arguments: input }, session, parts);
    return { ...session.policy.explain(call), suggestions: session.policy.suggest(call) };
  } catch (error) {
    if (!isToolwrightError(error) || error.code !== 'denied') throw error;
    return { decision: { effect: 'deny', reason: error.message, layer: 'tool' }, rules: [], suggestions: [] };
  }
}
