import type { Skill } from './skill.ts';

/** How names are compared when none is equal: without case, blanks and underscores as hyphens. */
export const plainName = (name: string): string =>
  `~${name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-')}`;

/** Names first, then other names, then plain forms: none takes the place of one before it. */
export function namesOf(skills: readonly Skill[]): Map<string, Skill> {
  const names = new Map<string, Skill>();
  const put = (name: string, skill: Skill) => names.has(name) || names.set(name, skill);
  for (const skill of skills) put(skill.name, skill);
  for (const skill of skills) for (const alias of skill.aliases) put(alias, skill);
  for (const skill of skills) for (const name of [skill.name, ...skill.aliases]) put(plainName(name), skill);
  return names;
}
