import type { AskQuestion, Json } from '../core/index.ts';

/** What is wrong with these answers to these questions; undefined when nothing is. */
export function answersFault(
  questions: readonly AskQuestion[],
  answers: Readonly<Record<string, Json>>,
): string | undefined {
  const known = new Set(questions.map((question) => question.id));
  const unknown = Object.keys(answers).find((id) => !known.has(id));
  if (unknown !== undefined) return `no question has the id ${JSON.stringify(unknown)}`;
  for (const question of questions) {
    const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
    if (answer === undefined) {
      if (question.required === false) continue;
      return `the question ${JSON.stringify(question.id)} has no answer`;
    }
    const fault = answerFault(question, answer);
    if (fault !== undefined) return `the answer to ${JSON.stringify(question.id)} ${fault}`;
  }
  return undefined;
}

function answerFault({ type, options }: AskQuestion, answer: Json): string | undefined {
  const isOption = (value: Json) => options === undefined || options.some((option) => option.value === value);
  switch (type) {
    case 'text':
      return typeof answer === 'string' ? undefined : 'is no text';
    case 'number':
      return typeof answer === 'number' && Number.isFinite(answer) ? undefined : 'is no number';
    case 'boolean':
      return typeof answer === 'boolean' ? undefined : 'is neither true nor false';
    case 'single_choice':
      return typeof answer === 'string' && isOption(answer) ? undefined : 'is none of its options';
    case 'multiple_choice':
      return Array.isArray(answer) && answer.every((value) => typeof value === 'string' && isOption(value))
        ? undefined
        : 'is no list of its options';
  }
}
