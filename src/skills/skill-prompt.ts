import { cutEnd } from '../core/index.ts';
import { LONGEST_DESCRIPTION } from './check-fields.ts';
import type { Skill } from './skill.ts';

/** Characters of the list of skills at the most: about 6,000 tokens. */
const MOST_CHARS = 24_000;
/** Of these, for skills that are listed by name alone. */
const MOST_NAME_CHARS = 4_000;

const OPENING = [
  'Skills are folders that teach how certain work is done here. When the task fits one, call load_skill with its name before you begin; do as its text says, with the tools that you have. A skill is a guide, not a tool.',
];

/**
 * The list of skills for the system prompt; nothing when there is none. Descriptions stand whole; what does not
 * fit is listed by name, and beyond that counted.
 */
export function skillPrompt(skills: readonly Skill[]): string {
  const listed = skills.filter((skill) => skill.forModel && !skill.always);
  if (listed.length === 0) return '';
  const lines: string[] = [];
  let room = MOST_CHARS;
  let index = 0;
  for (; index < listed.length; index++) {
    const line = describe(listed[index] as Skill);
    const kept = index === listed.length - 1 ? 0 : MOST_NAME_CHARS;
    if (line.length + 1 > room - kept) break;
    lines.push(line);
    room -= line.length + 1;
  }
  const names: string[] = [];
  for (; index < listed.length; index++) {
    const { name } = listed[index] as Skill;
    if (name.length + 2 > room) break;
    names.push(name);
    room -= name.length + 2;
  }
  const rest = listed.length - index;
  return [
    ...OPENING,
    '<available_skills>',
    ...lines,
    ...(names.length > 0 ? [`Without their descriptions: ${names.join(', ')}`] : []),
    ...(rest > 0 ? [`${rest} more are not listed; to find one, call load_skill with words of the task as name.`] : []),
    '</available_skills>',
  ].join('\n');
}

function describe({ name, description, activation }: Skill): string {
  const when = activation === undefined ? '' : ` When: ${activation}`;
  const text = `${description}${when}`;
  const cut = cutEnd(text, LONGEST_DESCRIPTION);
  return `- ${name}: ${cut}${cut.length < text.length ? '…' : ''}`;
}
