import type { Json } from '../core/index.ts';
import type { Ask, AskQuestion, AskReply } from '../runtime/index.ts';
import { harmless } from './render/style.ts';

/** Has a person answer an ask's questions line by line; `/no` declines them all. */
export async function fillIn(
  ask: Ask,
  print: (text: string) => Promise<void>,
  question: (text: string) => Promise<string>,
): Promise<AskReply> {
  const answers: Record<string, Json> = {};
  await print(`  ${harmless(ask.reason)}\n`);
  for (const one of ask.questions ?? []) {
    const options = (one.options ?? []).map(
      ({ value, label }, index) => `    ${index + 1}  ${harmless(label ?? value)}\n`,
    );
    await print(`  ${harmless(one.title)}\n${options.join('')}`);
    for (;;) {
      const text = await question(`  ${hint(one)}, /no: decline > `);
      if (text === '/no') return { outcome: 'declined', reason: 'the person declined' };
      // What is offered was shown: an empty line is the person's word for it.
      const answer = text === '' && one.default !== undefined ? one.default : readAnswer(one, text);
      if (text === '' && one.default === undefined && one.required === false) break;
      if (answer === undefined) continue;
      answers[one.id] = answer;
      break;
    }
  }
  return { outcome: 'answered', answers };
}

function hint(one: AskQuestion): string {
  const { default: offered, placeholder } = one;
  const more = placeholder === undefined ? '' : ` (${harmless(placeholder)})`;
  if (offered === undefined) return `${kindHint(one)}${more}`;
  return `${kindHint(one)}${more}, empty line: ${harmless([offered].flat().join(', '))}`;
}

function kindHint({ type, options }: AskQuestion): string {
  if (type === 'multiple_choice') return 'numbers, with commas between';
  if (type === 'single_choice') return `a number up to ${options?.length ?? 0}`;
  return type === 'boolean' ? 'y or n' : `a ${type}`;
}

/** Undefined: it is no answer to this question. */
function readAnswer({ type, options = [] }: AskQuestion, text: string): Json | undefined {
  const pick = (word: string) => {
    const trimmed = word.trim();
    return (options[Number(trimmed) - 1] ?? options.find(({ value }) => value === trimmed))?.value;
  };
  switch (type) {
    case 'text':
      return text;
    case 'number':
      return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'boolean':
      return /^(y|yes|true)$/i.test(text) ? true : /^(n|no|false)$/i.test(text) ? false : undefined;
    case 'single_choice':
      return pick(text);
    case 'multiple_choice': {
      const picked = text.split(',').map(pick);
      return picked.every((value): value is string => value !== undefined) ? picked : undefined;
    }
  }
}
