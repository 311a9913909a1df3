import { z } from 'zod';
import { type AskQuestion, defineTool } from '../../core/index.ts';
import { choices, toOption } from '../questions/choice.ts';
import { DEFAULT_WAIT_S, LONGEST_WAIT_S, limitMs, putQuestions } from '../questions/put-questions.ts';

const ID = 'answer';

const input = z
  .strictObject({
    question: z.string().trim().min(1).max(4_000).describe('The whole question; the person sees nothing else.'),
    options: choices.optional().describe('Answers to choose from: texts, or {value, label}. Left out: free text.'),
    multiple: z.boolean().optional().describe('More than one option may be chosen. Default false.'),
    timeout_s: z.number().min(1).max(LONGEST_WAIT_S).optional().describe(`Seconds to wait. Default ${DEFAULT_WAIT_S}.`),
  })
  .refine(({ options, multiple }) => multiple !== true || options !== undefined, {
    path: ['multiple'],
    message: 'It needs options to choose from.',
  });

/** One question to the person of the session. */
export const askUser = defineTool({
  name: 'ask_user',
  description:
    'Asks the person one question and waits for the answer. Use it when only they can decide or know and the work depends on it; not for what you can find out yourself, and not for permission: calls that need one ask on their own. Several questions at once: questionnaire.',
  input,
  traits: { readOnly: true, waits: true, timeoutMs: ({ timeout_s }) => limitMs(timeout_s) },
  claims: () => [],
  permissions: () => [{ effect: 'allow', reason: 'a question changes nothing' }],
  async run({ question, options, multiple = false, timeout_s }, ctx) {
    const type = options === undefined ? 'text' : multiple ? 'multiple_choice' : 'single_choice';
    const asked: AskQuestion = {
      id: ID,
      type,
      title: question,
      ...(options === undefined ? {} : { options: options.map(toOption) }),
    };
    const said = await putQuestions(ctx, 'The agent has a question.', [asked], timeout_s);
    if (!('outcome' in said) || said.outcome !== 'answered') return said;
    return { outcome: 'answered', answer: said.answers[ID] };
  },
});
