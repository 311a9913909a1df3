import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { messageOf, ToolwrightError } from '../core/index.ts';
import { cutText } from './cut-text.ts';
import { splitFrontMatter } from './front-matter.ts';
import type { Projected } from './project-skills.ts';
import { MOST_BYTES } from './read-skill.ts';
import type { Skill } from './skill.ts';

export interface SkillBody {
  readonly text: string;
  /** Its first line's number in SKILL.md. */
  readonly line: number;
  readonly hash: string;
  /** `$ARGUMENTS` stands in it. */
  readonly takesArguments: boolean;
}

/** Tokens of one skill's text at the most; the rest is read in parts. */
const MOST_BODY_TOKENS = 10_000;
const MOST_LISTED = 100;
const ARGUMENTS = /\$ARGUMENTS\b/;

/** The instructions of a skill; ToolwrightError `failed` when they cannot be read any more. */
export async function readBody(skill: Skill): Promise<SkillBody> {
  try {
    const handle = await open(skill.file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) throw new Error('it is not a file any more');
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(Math.min(stat.size, MOST_BYTES)), 0, null, 0);
      const { body, bodyLine } = splitFrontMatter(buffer.toString('utf8', 0, bytesRead));
      const blank = body.length - body.trimStart().length;
      const line = bodyLine + (body.slice(0, blank).match(/\n/g)?.length ?? 0);
      const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
      return { text: body.trim(), line, hash, takesArguments: ARGUMENTS.test(body) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new ToolwrightError('failed', `the skill ${skill.name} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

export interface ContentParts {
  readonly skill: Skill;
  readonly body: SkillBody;
  readonly place: Projected;
  /** What stands for `$ARGUMENTS` in the text. */
  readonly args?: string;
}

/** A skill's text for the model: the instructions, where its folder is, and what lies in it. */
export function skillContent({ skill, body, place, args }: ContentParts): string {
  const cut = cutText(fillIn(body.text, place.folder, args), MOST_BODY_TOKENS);
  const next = body.line + cut.lines;
  const rest = cut.isCut
    ? [
        `[The text goes on. Read the rest with read_file {"path": ${JSON.stringify(`${place.folder}/SKILL.md`)}, "offset": ${next}}.]`,
      ]
    : [];
  const files = place.files.filter((path) => !/^skill\.(md|ya?ml)$/i.test(path));
  const more = files.length - MOST_LISTED;
  return [
    `<skill_content name="${attribute(skill.name)}">`,
    cut.text.replace(/<\/(?=skill_content)/gi, '<\\/'),
    ...rest,
    `Folder of this skill: ${place.folder} (read-only; relative paths above start there)`,
    ...(files.length > 0 ? ['<skill_resources>', ...files.slice(0, MOST_LISTED), '</skill_resources>'] : []),
    ...(more > 0 ? [`[${more} more files; list them with glob_files in that folder.]`] : []),
    ...place.notes.map((note) => `[note] ${note}`),
    '</skill_content>',
  ].join('\n');
}

/** Each place is filled in once, as it is: what is put in is not looked at again. */
function fillIn(text: string, folder: string, args: string | undefined): string {
  return text.replace(/\$ARGUMENTS\b|\$\{CLAUDE_SKILL_DIR\}|\{baseDir\}/g, (place) => {
    if (place !== '$ARGUMENTS') return folder;
    return args ?? place;
  });
}

const attribute = (text: string) => text.replace(/[<>&"\n]/g, (sign) => `&#${sign.charCodeAt(0)};`);
