import { z } from 'zod';
import { defineTool, type Tool, type ToolContext, type ToolOutput, ToolwrightError } from '../core/index.ts';
import { folderNameOf } from './folder-name.ts';
import type { Skill } from './skill.ts';

/** More names than these are not spelled out in the tool's schema. */
const MOST_NAMES = 100;

const traits = {
  readOnly: true,
  concurrencySafe: true,
  interrupt: 'cancel',
  maxOutputChars: Number.POSITIVE_INFINITY,
} as const;

/**
 * The tool that loads skills. `names` are offered as the values of its input; others are taken as well, because
 * skills may come while the session goes on.
 */
export function createLoadSkill(names: readonly string[] = []): Tool {
  const name = z
    .string()
    .min(1)
    .describe("The skill's name, as in the list of skills; or words of the task, to find one.");
  const input = z.strictObject({
    name: names.length > 0 && names.length <= MOST_NAMES ? name.meta({ enum: names }) : name,
    mode: z
      .enum(['inline', 'fork'])
      .optional()
      .describe('inline (the default): its text comes to you. fork: a subagent does the task with it.'),
    task: z.string().optional().describe('What is to be done with it; needed for fork.'),
  });
  return defineTool<z.infer<typeof input>>({
    name: 'load_skill',
    description:
      'Loads a skill: instructions for certain work, with the files that belong to them. Call it before you begin work that a skill of the list is for. Its text stays in force until it is said to be dropped; loading it again costs nothing.',
    input,
    traits,
    aliases: [{ name: 'Skill', input: { skill: 'name', skill_name: 'name', args: 'task' } }],
    subjects: (given) => [{ kind: 'text', value: given.name }],
    claims: () => [],
    async run({ name: wanted, mode = 'inline', task }, ctx): Promise<ToolOutput> {
      if (mode === 'inline') return load(ctx, wanted, task);
      if (task === undefined || task.trim() === '') {
        throw new ToolwrightError('invalid_input', 'task: fork mode needs to be told what is to be done.');
      }
      throw new ToolwrightError('unavailable', 'No subagent can be started here, so a skill cannot be forked.', {
        hint: `Load it inline: load_skill {"name": ${JSON.stringify(wanted)}}, and do the task yourself.`,
      });
    },
  }) as Tool;
}

const skillToolName = (skill: Skill): string => `skill_${folderNameOf(skill.name)}`.slice(0, 64);

/** A skill as a tool of its own. */
export function createSkillTool(skill: Skill): Tool {
  const input = z.strictObject({ task: z.string().describe('What is to be done.') });
  return defineTool<z.infer<typeof input>>({
    name: skillToolName(skill),
    description: `${skill.description} Gives the instructions of the skill ${skill.name} for the task; follow them.`,
    input,
    traits,
    subjects: () => [{ kind: 'text', value: skill.name }],
    claims: () => [],
    run: ({ task }, ctx) => load(ctx, skill.name, task),
  }) as Tool;
}

function load(ctx: ToolContext, name: string, task: string | undefined): Promise<ToolOutput> {
  if (ctx.skills === undefined) {
    throw new ToolwrightError('unavailable', 'There are no skills in this session.', { hint: 'Go on without one.' });
  }
  return ctx.skills.load(name, { callId: ctx.call.id, ...(task === undefined ? {} : { task }) });
}
