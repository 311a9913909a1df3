import {
  type AskAnswer,
  type BeforeVerdict,
  type CallError,
  type CallFacts,
  callError,
  type Decision,
  type ExecutionSession,
  type HookCall,
  type SuggestedRule,
} from '../core/index.ts';
import { gatherFacts, NO_FACTS } from './facts.ts';
import { type JudgeParts, parseFor, type RunnableCall } from './prepare.ts';
import { within } from './within.ts';

/** A call as the judges left it. */
export interface Passed {
  readonly call: RunnableCall;
  readonly facts: CallFacts;
  /** What hooks had to say; stands behind the result. */
  readonly notes: readonly string[];
  /** Why it must not run. */
  readonly fault?: CallError;
  /** Why a person must say yes first. */
  readonly ask?: string;
  readonly verdict: Verdict;
}

/** The joined word of rules and hooks, for the audit log. */
export type Verdict = Decision & { readonly hook?: string };

/**
 * Rules, then hooks, then rules again when a hook changed the input. Deny wins wherever it comes from; a
 * hook's ask is satisfied by a grant; a hook's allow lifts nothing but the mode's default.
 */
export async function judgeCall(
  id: string,
  call: RunnableCall,
  session: ExecutionSession,
  parts: JudgeParts,
): Promise<Passed> {
  const first = await judgeByRules(call, session, parts);
  if (first.decision.effect === 'deny' || !session.hooks?.has(call.name)) return pass(first, undefined);
  const verdict = await session.hooks.before(hookCall(id, call.name, call.input, first.facts, session));
  if (verdict.block) {
    const fault = callError('blocked', `The hook ${verdict.block.hook} stopped this call: ${verdict.block.reason}`, {
      hint: 'Do not try the same call again; do what the reason asks for, or go on without it.',
    });
    const blocked = { call: { ...call, input: verdict.input }, facts: first.facts, notes: verdict.notes, fault };
    return { ...blocked, verdict: { effect: 'deny', layer: 'hook', ...verdict.block } };
  }
  if (!verdict.changed) return pass(first, verdict);
  const parsed = await parseFor(call.name, call.tool, verdict.input, parts);
  if ('fault' in parsed) {
    const message = `A hook changed the input, and it fits no more. ${parsed.fault.message}`;
    const changed = { ...call, input: verdict.input };
    const unfit = { call: changed, facts: first.facts, notes: verdict.notes, fault: { ...parsed.fault, message } };
    return { ...unfit, verdict: { effect: 'deny', layer: 'hook', reason: message } };
  }
  return pass(await judgeByRules({ ...parsed, notes: call.notes }, session, parts), verdict);
}

interface Ruled {
  readonly call: RunnableCall;
  readonly facts: CallFacts;
  readonly decision: Decision;
}

/** A tool's own looking at its input is bounded; hooks have limits of their own. */
async function judgeByRules(call: RunnableCall, session: ExecutionSession, parts: JudgeParts): Promise<Ruled> {
  const gathered = gatherFacts(call.tool, call.input, call.traits, factsContext(session), parts.readShell);
  const facts = await within(parts.clock, parts.limits.factsMs, `looking at the input of ${call.name}`, gathered);
  return { call, facts, decision: session.policy.decide({ name: call.name, input: call.input, facts }) };
}

function pass({ call, facts, decision }: Ruled, verdict: BeforeVerdict | undefined): Passed {
  const passed = { call, facts, notes: verdict?.notes ?? [], verdict: decision };
  if (decision.effect === 'deny') return { ...passed, fault: denied(call.name, decision) };
  if (verdict?.ask && decision.layer !== 'grant') {
    return { ...passed, ask: verdict.ask.reason, verdict: { effect: 'ask', layer: 'hook', ...verdict.ask } };
  }
  if (decision.effect !== 'ask') return passed;
  const lifted = decision.layer === 'mode' ? verdict?.allow : undefined;
  if (lifted) return { ...passed, verdict: { effect: 'allow', layer: 'hook', ...lifted } };
  return { ...passed, ask: decision.reason };
}

/**
 * Judged again right before it starts, for a call that had to wait: what it would touch may be another
 * thing by now. `approved` says that a person saw it as it was then.
 */
export async function judgeAgain(
  passed: Passed,
  session: ExecutionSession,
  parts: JudgeParts,
): Promise<CallError | undefined> {
  const { call, facts, decision } = await judgeByRules(passed.call, session, parts);
  if (decision.effect === 'deny') return denied(call.name, decision);
  const same = facts.paths.every((path, index) => path.real === passed.facts.paths[index]?.real);
  if (same || decision.effect === 'allow') return undefined;
  return callError('denied', `${call.name} was approved, but its path leads elsewhere now.`, {
    hint: 'Call it again, so that it can be judged as it is.',
  });
}

/** A person's answer as the call's fault; undefined when it is yes. */
export function faultOfAnswer(name: string, answer: AskAnswer | undefined): CallError | undefined {
  if (answer?.outcome === 'approved') return undefined;
  if (answer?.outcome !== 'denied') {
    return callError('unanswered', `Nobody answered whether ${name} may run.`, {
      hint: 'It did not run. Go on without it, or ask the user.',
    });
  }
  const reason = answer.reason ? `: ${answer.reason}` : '.';
  return callError('denied', `The user refused ${name}${reason}`, {
    hint: 'Do not try it again; ask what to do instead.',
  });
}

/** The answer of an ask when nobody can be asked, with the narrowest rule that would allow the call. */
export function nobodyToAsk(name: string, reason: string, suggestions: readonly SuggestedRule[] = []): CallError {
  const rule = suggestions.find((suggestion) => suggestion.rule !== undefined)?.rule;
  const way = rule === undefined ? '' : ` To allow it, start with --allow ${quoted(rule)}.`;
  return callError('denied', `${name} needs a permission, and nobody is there to give it: ${reason}${way}`, {
    hint: 'Go on without it, or ask the user to allow it.',
  });
}

/** As a shell takes it. */
const quoted = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

function denied(name: string, decision: Decision): CallError {
  const rule = decision.rule ? ` (rule ${decision.rule})` : '';
  return callError('denied', `${name} is not allowed here${rule}: ${decision.reason}`, {
    hint: 'Do not try it another way; go on without it, or ask the user to change the rule.',
  });
}

export function hookCall(
  id: string,
  name: string,
  input: unknown,
  facts: CallFacts | undefined,
  session: ExecutionSession,
): HookCall {
  return { id, name, input, facts: facts ?? NO_FACTS, session: session.info, signal: session.signal };
}

function factsContext(session: ExecutionSession) {
  return { session: session.info, roots: session.context.roots };
}
