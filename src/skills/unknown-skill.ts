import { callError, errorOutput, type ToolOutput } from '../core/index.ts';
import { findSkills } from './find-skills.ts';
import type { SkillView } from './view.ts';

/** The answer to a name that no skill has: those that its words fit, so that it serves as a search, too. */
export function unknownSkill(name: string, view: SkillView): ToolOutput {
  const skills = view.skills().filter((skill) => skill.forModel);
  const fitting = findSkills(skills, name, 10);
  const said = `There is no skill named ${JSON.stringify(name.slice(0, 100))}.`;
  const lines = fitting.map((skill) => `- ${skill.name}: ${skill.description.slice(0, 300)}`);
  const message = fitting.length > 0 ? `${said} Skills that these words fit:\n${lines.join('\n')}` : said;
  const hint =
    fitting.length > 0
      ? 'Load one of them by its name, if it is for your task.'
      : skills.length > 0
        ? 'Use a name from the list of skills, or go on without one.'
        : 'There are no skills here; go on without one.';
  return errorOutput(callError('invalid_input', message, { hint }), { known: skills.length });
}
