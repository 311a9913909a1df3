import { z } from 'zod';
import { type AskQuestion, defineTool } from '../../core/index.ts';
import { choices, choiceValue, toOption } from '../questions/choice.ts';
import { DEFAULT_WAIT_S, LONGEST_WAIT_S, limitMs, putQuestions } from '../questions/put-questions.ts';

const question = z
  .strictObject({
    id: z
      .string()
      .regex(/^[\w.-]{1,64}$/)
      .describe('Its answer comes back under this name.'),
    type: z.enum(['single_choice', 'multiple_choice', 'text']),
    title: z.string().trim().min(1).max(1_000),
    options: choices.optional().describe('For the choices: texts, or {value, label}.'),
    default: z
      .union([z.string().max(4_000), z.array(z.string()).max(50)])
      .optional()
      .describe('Offered to the person; never taken when nobody answers.'),
    placeholder: z.string().max(500).optional(),
  })
  .superRefine(({ type, options, default: offered }, context) => {
    const fault = (key: string, message: string) => context.addIssue({ code: 'custom', path: [key], message });
    if ((type === 'text') !== (options === undefined)) {
      fault('options', type === 'text' ? 'A text has no options; choose another type.' : 'A choice needs options.');
    }
    if (offered === undefined) return;
    if (Array.isArray(offered) !== (type === 'multiple_choice')) {
      fault('default', type === 'multiple_choice' ? 'It must be a list of values.' : 'It must be one text.');
    } else if (options !== undefined && ![offered].flat().every((value) => options.map(choiceValue).includes(value))) {
      fault('default', 'It is none of the options.');
    }
  });
type Question = z.infer<typeof question>;

const input = z.strictObject({
  title: z.string().trim().min(1).max(500).describe('What it is about, for the person.'),
  questions: z
    .array(question)
    .min(1)
    .max(20)
    .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, {
      message: 'Two questions have the same id.',
    }),
  wait_time: z
    .number()
    .min(1)
    .max(LONGEST_WAIT_S)
    .optional()
    .describe(`Seconds to wait for all answers together. Default ${DEFAULT_WAIT_S}.`),
});

/** Several questions to the person, answered together. */
export const questionnaire = defineTool({
  name: 'questionnaire',
  description:
    'Asks the person several questions at once and waits until all are answered; gives the answers by question id. Use it when the work depends on more than one thing that only they can decide or know. One question: ask_user.',
  input,
  traits: { readOnly: true, waits: true, timeoutMs: ({ wait_time }) => limitMs(wait_time) },
  claims: () => [],
  permissions: () => [{ effect: 'allow', reason: 'questions change nothing' }],
  run: ({ title, questions, wait_time }, ctx) => putQuestions(ctx, title, questions.map(toAsked), wait_time),
});

function toAsked({ id, type, title, options, default: offered, placeholder }: Question): AskQuestion {
  return {
    id,
    type,
    title,
    ...(options === undefined ? {} : { options: options.map(toOption) }),
    ...(offered === undefined ? {} : { default: offered }),
    ...(placeholder === undefined ? {} : { placeholder }),
  };
}
