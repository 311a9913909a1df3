import { type ExecutionSession, type JudgedCall, type RawToolCall, ToolwrightError } from '../core/index.ts';
import { gatherFacts } from './facts.ts';
import { type JudgeParts, prepareCall } from './prepare.ts';
import { within } from './within.ts';

/** A call as its judges would see it; nothing is judged and nothing runs. Throws what is wrong with it. */
export async function inspectCall(
  raw: RawToolCall,
  session: Pick<ExecutionSession, 'tools' | 'info' | 'context'>,
  parts: JudgeParts,
): Promise<JudgedCall> {
  const { name, input, ...prepared } = await prepareCall(raw, session.tools, parts);
  if ('fault' in prepared) {
    const { code, message, hint } = prepared.fault;
    throw new ToolwrightError(code, message, hint === undefined ? {} : { hint });
  }
  const context = { session: session.info, roots: session.context.roots };
  const gathered = gatherFacts(prepared.tool, input, prepared.traits, context, parts.readShell);
  const facts = await within(parts.clock, parts.limits.factsMs, `looking at the input of ${name}`, gathered);
  return { name, input, facts };
}
