import {
  type AskQuestion,
  callError,
  errorOutput,
  type QuestionAnswer,
  type ToolContext,
  type ToolOutput,
  ToolwrightError,
} from '../../core/index.ts';

export const DEFAULT_WAIT_S = 300;
export const LONGEST_WAIT_S = 3_600;

/** The tool's own limit lies behind that of its question, which is the one that speaks. */
export function limitMs(waitS = DEFAULT_WAIT_S): number {
  return waitS * 1_000 + 5_000;
}

/** Puts questions to the person. Gives what was answered or that it was declined; no answer is an error of its own. */
export async function putQuestions(
  context: ToolContext,
  reason: string,
  questions: readonly AskQuestion[],
  waitS = DEFAULT_WAIT_S,
): Promise<Exclude<QuestionAnswer, { outcome: 'unanswered' }> | ToolOutput> {
  if (context.ask === undefined) {
    throw new ToolwrightError('unavailable', 'Nobody is there to answer: this session runs without a person.', {
      hint: 'Go on with what does not depend on the answer, and say in your reply what you would have asked.',
    });
  }
  const answer = await context.ask({ kind: 'question', reason, questions, timeoutMs: waitS * 1_000 });
  if (answer.outcome !== 'unanswered') return answer;
  // A cancel ends a question, too; that is not the person's silence.
  context.signal.throwIfAborted();
  const error = callError('unanswered', `Nobody answered within ${waitS} s; the question is closed.`, {
    hint: 'That is no yes, no no and no default. Do only what does not depend on the answer; else say in your reply what you need to know, and end your turn.',
  });
  return errorOutput(error, { outcome: 'unanswered' });
}
