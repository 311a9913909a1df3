import { isObject, type Json, ToolwrightError } from '../../core/index.ts';
import { type AskDecision, type AskRecord, createRuntime } from '../../runtime/index.ts';
import { toollessOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { UsageError } from '../report-error.ts';

export interface AnswerFlags extends RuntimeFlags {
  readonly for?: 'once' | 'session' | 'always';
  readonly rule?: string;
  readonly place?: 'home' | 'project';
  readonly hash?: string;
  readonly reason?: string;
}

/** Answers an ask of any process of this home: `yes`, `no`, or the answers to its questions as a JSON object. */
export async function asksAnswer(io: Io, flags: AnswerFlags, id: string, answer: string): Promise<number> {
  const runtime = await createRuntime(toollessOptions(flags));
  try {
    const ask = await runtime.asks.get(id);
    if (ask === undefined) {
      throw new ToolwrightError('not_found', `no ask has the id ${id}`, { hint: 'See `toolwright asks list`.' });
    }
    const receipt = await runtime.asks.resolve(id, decisionOf(ask, answer, flags));
    if (flags.json) await io.out(`${JSON.stringify(receipt)}\n`);
    else if (receipt.outcome === 'resolved') {
      const kept = receipt.keptIn === undefined ? '' : ` The rule is kept in ${receipt.keptIn}.`;
      await io.out(`${receipt.message}${kept}\n`);
    } else io.err(`toolwright: ${receipt.outcome}: ${receipt.message}\n`);
    if (receipt.warning !== undefined) io.err(`toolwright: ${receipt.warning}\n`);
    return receipt.outcome === 'resolved' ? 0 : 1;
  } finally {
    await runtime.close();
  }
}

function decisionOf(ask: AskRecord, answer: string, flags: AnswerFlags): AskDecision {
  const { sessionId } = ask;
  const base = {
    sessionId,
    hash: flags.hash ?? ask.hash,
    by: 'command line',
    ...(flags.reason === undefined ? {} : { reason: flags.reason }),
  };
  const word = answer.trim().toLowerCase();
  if (word === 'no') return { ...base, decision: ask.kind === 'permission' ? 'denied' : 'declined' };
  if (ask.kind !== 'permission') return { ...base, decision: 'answered', answers: readAnswers(answer) };
  if (word !== 'yes') throw new UsageError(`"${answer}" is no answer to a permission`, 'Say yes or no.');
  return {
    ...base,
    decision: 'approved',
    ...(flags.for === undefined ? {} : { scope: flags.for }),
    ...(flags.rule === undefined ? {} : { rule: flags.rule }),
    ...(flags.place === undefined ? {} : { place: flags.place }),
  };
}

function readAnswers(text: string): Record<string, Json> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value as Record<string, Json>;
  } catch {}
  throw new UsageError('the answers are no JSON object', 'Write {"QUESTION ID": "answer", …}, or no to decline.');
}
