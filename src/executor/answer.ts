import {
  type Emit,
  type ExecutionSession,
  errorOutput,
  messageOf,
  type ToolOutput,
  type ToolResult,
  textOf,
} from '../core/index.ts';
import { type BoundOptions, boundOutput, storeOutput } from './bound-output.ts';
import type { CallAudit } from './call-audit.ts';
import { cleanOutput } from './clean-output.ts';
import type { Entry } from './entry.ts';
import { internalFault } from './faults.ts';
import { hookCall } from './judge.ts';
import type { ExecutorLimits } from './limits.ts';
import { outcomeOf } from './repeats.ts';

/** Fixes the results of a turn's calls. */
export interface Answers {
  /** After hooks, bounds, journal, event; for each call once, and never an exception. */
  give(entry: Entry, output: ToolOutput, durationMs: number): Promise<void>;
  /** At the turn's end: when all results together are too long, the largest are stored until they are not. */
  boundTurn(entries: readonly Entry[]): Promise<readonly ToolResult[]>;
}

export function createAnswers(
  session: ExecutionSession,
  limits: ExecutorLimits,
  emit: Emit,
  audit: CallAudit,
): Answers {
  const boundsOf = (entry: Entry): BoundOptions => ({
    callId: entry.id,
    maxChars: entry.passed?.call.traits.maxOutputChars ?? limits.maxOutputChars,
    maxTokens: limits.maxResultTokens,
    outputs: session.context.outputs,
    masker: session.masker,
  });

  async function finish(entry: Entry, output: ToolOutput, durationMs: number): Promise<ToolResult> {
    const identity = { callId: entry.id, name: entry.name, durationMs };
    const notes = [...(entry.passed?.call.notes ?? []), ...(entry.passed?.notes ?? [])];
    const cleaning = { name: entry.name, masker: session.masker, log: session.context.log };
    let whole = output;
    if (session.hooks?.has(entry.name)) {
      const input = entry.passed ? entry.passed.call.input : entry.input;
      const call = hookCall(entry.id, entry.name, input, entry.passed?.facts, session);
      const verdict = await session.hooks.after(call, { ...output, ...identity });
      whole = verdict.output ?? output;
      notes.push(...verdict.notes);
    }
    whole = cleanOutput(whole, cleaning);
    if (entry.past && whole.error?.code !== 'duplicate_call') {
      entry.past.outcome = outcomeOf(textOf(whole.content), whole.error !== undefined);
    }
    const { output: bound, shortened } = await boundOutput(whole, boundsOf(entry));
    if (shortened) session.context.files.hide([entry.id]);
    return { ...withNotes(bound, notes, session), ...identity };
  }

  return {
    async give(entry, output, durationMs) {
      if (entry.answered) return;
      entry.answered = true;
      let result: ToolResult;
      try {
        result = await finish(entry, output, durationMs);
      } catch (error) {
        const fault = internalFault(entry.name, `its result could not be taken in (${messageOf(error)})`);
        result = { ...errorOutput(fault), callId: entry.id, name: entry.name, durationMs };
      }
      entry.result = result;
      audit.ended(entry, result);
      session.journal
        ?.ended(result)
        .catch((error) => session.context.log('error', 'a result was not journalled', { error: messageOf(error) }));
      emit({ type: 'tool_result', result, step: session.step });
    },

    async boundTurn(entries) {
      const results = entries.flatMap((entry) => (entry.result ? [entry.result] : []));
      let total = results.reduce((sum, result) => sum + textOf(result.content).length, 0);
      if (total <= limits.maxTurnChars) return results;
      const order = entries.filter((entry) => entry.result && !entry.result.stored);
      order.sort((a, b) => lengthOf(b) - lengthOf(a));
      for (const entry of order) {
        if (total <= limits.maxTurnChars || !entry.result) break;
        const before = lengthOf(entry);
        const output = await storeOutput(entry.result, { ...boundsOf(entry), maxChars: limits.maxOutputChars });
        entry.result = { ...entry.result, ...output };
        session.context.files.hide([entry.id]);
        total -= before - lengthOf(entry);
      }
      return entries.flatMap((entry) => (entry.result ? [entry.result] : []));
    },
  };
}

const lengthOf = (entry: Entry) => (entry.result ? textOf(entry.result.content).length : 0);

/** Notes stand behind the result, where the model reads them with it. */
function withNotes(output: ToolOutput, notes: readonly string[], session: ExecutionSession): ToolOutput {
  if (notes.length === 0) return output;
  const joined = notes.map((note) => `[note] ${note}`).join('\n');
  const text = session.masker ? session.masker.mask(joined) : joined;
  if (typeof output.content === 'string') return { ...output, content: `${output.content}\n${text}` };
  return { ...output, content: [...output.content, { type: 'text', text }] };
}
