import type { Content, JsonObject, Log, Message, Policy, SkillPower, Tool, ToolOutput } from '../core/index.ts';
import { type ActiveSkill, activeSkills, asMetadata, type SkillMark } from './active-skills.ts';
import type { SkillCatalog } from './catalog.ts';
import { estimateTokens } from './estimate-tokens.ts';
import type { Projected, Projection } from './project-skills.ts';
import type { Skill } from './skill.ts';
import { readBody, skillContent } from './skill-content.ts';
import { createSkillGrants, type GrantJudge } from './skill-grants.ts';
import { skillPrompt } from './skill-prompt.ts';
import { createSkillTool } from './skill-tool.ts';
import { unknownSkill } from './unknown-skill.ts';
import type { SkillView } from './view.ts';

/** Tokens of all active skills together at the most. */
const MOST_ACTIVE_TOKENS = 18_000;
const MOST_RECENT = 64;

export interface SessionSkillsOptions {
  readonly catalog: Pick<SkillCatalog, 'refresh'>;
  readonly view: SkillView;
  readonly projection: Projection;
  /** The conversation as it stands. */
  readonly messages: () => readonly Message[];
  readonly judge: GrantJudge;
  /** The tools that skills are change. */
  readonly onTools: (tools: readonly Tool[]) => void;
  readonly log: Log;
}

/** The skills of one session: their list, their texts, what they allow. */
export interface SessionSkills {
  readonly power: SkillPower;
  /** The part of the system prompt that tells of skills, as the disk is now. Asked before each request. */
  prompt(): Promise<string>;
  /** A person's `/name words` with the text of that skill; anything else as it is. */
  startedBy(input: Content): Promise<{ content: Content; metadata?: JsonObject }>;
  policy<Base extends Policy>(base: Base): Base;
  /** Takes the copies away. */
  close(): Promise<void>;
}

interface LoadedText {
  readonly text: string;
  readonly tokens: number;
  readonly hash: string;
  readonly takesArguments: boolean;
  readonly place: Projected;
}

export function createSessionSkills(options: SessionSkillsOptions): SessionSkills {
  const { catalog, view, projection, messages, onTools, log } = options;
  const grants = createSkillGrants(options.judge, view.skills());
  let recent: ActiveSkill[] = [];
  let seen: readonly Skill[] | undefined;
  let list = '';
  let always = '';
  let alwaysTokens = 0;
  let isResumed = false;
  const notes = new Map<string, readonly string[]>();
  let last: Promise<unknown> = Promise.resolve();

  const contentOf = async (skill: Skill, args?: string): Promise<LoadedText> => {
    const [body, place] = [await readBody(skill), await projection.bring(skill)];
    const text = skillContent({ skill, body, place, ...(args === undefined ? {} : { args }) });
    return { text, hash: body.hash, tokens: estimateTokens(text), takesArguments: body.takesArguments, place };
  };

  /** Counts a skill as active and drops the oldest ones that there is no room for beside it. */
  const activate = (skill: Skill, active: ReadonlyMap<string, ActiveSkill>, loaded: LoadedText) => {
    const { tokens, hash, place } = loaded;
    const others = [...active.values()].filter(({ name }) => name !== skill.name);
    let total = alwaysTokens + tokens + others.reduce((sum, { tokens }) => sum + tokens, 0);
    const dropped: string[] = [];
    for (const other of others) {
      if (total <= MOST_ACTIVE_TOKENS) break;
      dropped.push(other.name);
      grants.drop(other.name);
      total -= other.tokens;
    }
    const mark: SkillMark = { name: skill.name, tokens, hash, dropped };
    const told = grants.activate(skill, place).map((note) => `\n[note] ${note}`);
    if (dropped.length > 0) {
      told.push(`\n[No longer in force, to make room: ${dropped.join(', ')}. Load it again when it is needed.]`);
    }
    return { mark, note: told.join('') };
  };

  const load = async (name: string, use: { callId: string; task?: string }): Promise<ToolOutput> => {
    await catalog.refresh();
    const skill = view.get(name);
    if (skill === undefined || !skill.forModel) return unknownSkill(name, view);
    if (skill.always && always.includes(`<skill_content name="${skill.name}"`)) {
      return { content: `The text of the skill ${skill.name} stands in the system prompt; follow it.` };
    }
    const active = activeSkills(messages(), recent);
    const before = active.get(skill.name);
    const loaded = await contentOf(skill, use.task);
    const { text, hash, takesArguments } = loaded;
    const task = use.task ? `\nThe task: ${use.task}` : '';
    if (before?.hash === hash && !(task && takesArguments)) {
      grants.activate(skill, loaded.place);
      const where = `The skill ${skill.name} is loaded already (${before.id}); its text stands above and is in force.`;
      return { content: where + task };
    }
    const { mark, note } = activate(skill, active, loaded);
    recent = [...recent.slice(-MOST_RECENT), { ...mark, id: use.callId }];
    const changed =
      before && before.hash !== hash ? '[The skill has changed since it was loaded; this is its text now.]\n' : '';
    return { content: `${changed}${text}${task}${note}`, data: asMetadata(mark) };
  };
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };

  const rebuild = async (): Promise<void> => {
    const skills = view.skills();
    if (skills === seen) return;
    seen = skills;
    list = skillPrompt(skills);
    const texts: string[] = [];
    alwaysTokens = 0;
    for (const skill of skills.filter((each) => each.always && each.forModel)) {
      try {
        const { text, tokens, place } = await contentOf(skill);
        if (alwaysTokens + tokens > MOST_ACTIVE_TOKENS) {
          texts.push(
            `The skill ${skill.name} belongs here and has no room; load it with load_skill: ${skill.description}`,
          );
          continue;
        }
        alwaysTokens += tokens;
        texts.push(text);
        grants.activate(skill, place);
      } catch (error) {
        log('warn', `the skill ${skill.name} could not be put into the prompt`, { error: String(error) });
      }
    }
    always = texts.join('\n\n');
    onTools(toolsOf(skills));
  };
  /** Copies that are there follow their skills; what an earlier process loaded is brought again, to the same place. */
  const renewCopies = async (): Promise<void> => {
    const brought = new Set(projection.brought());
    for (const name of isResumed ? [] : activeSkills(messages(), []).keys()) {
      const skill = view.get(name);
      if (skill) brought.add(projection.folderOf(skill));
    }
    isResumed = true;
    for (const skill of brought.size > 0 ? view.skills() : []) {
      if (!brought.has(projection.folderOf(skill))) continue;
      const place = await projection.bring(skill);
      notes.set(
        skill.name,
        place.notes.filter((note) => note.includes('edited')),
      );
    }
  };

  onTools(toolsOf(view.skills()));
  return {
    power: { load: (name, use) => inTurn(() => load(name, use)) },
    prompt: () =>
      inTurn(async () => {
        try {
          await catalog.refresh();
          await rebuild();
          await renewCopies();
        } catch (error) {
          log('warn', 'the skills could not be looked at', { error: String(error) });
        }
        const told = [...notes].flatMap(([name, lines]) => lines.map((line) => `[note] skill ${name}: ${line}`));
        return [list, always, told.join('\n')].filter((part) => part !== '').join('\n\n');
      }),
    startedBy: (input) =>
      inTurn(async () => {
        grants.endRestrictions();
        const match = typeof input === 'string' ? /^\/([^\s/]+)(?:\s+([\s\S]*))?$/.exec(input.trim()) : null;
        if (match?.[1] === undefined) return { content: input };
        await catalog.refresh();
        const skill = view.get(match[1]);
        if (skill === undefined || !skill.forPerson) return { content: input };
        const args = match[2] ?? '';
        const loaded = await contentOf(skill, args);
        const { mark, note } = activate(skill, activeSkills(messages(), recent), loaded);
        const words = args === '' ? '' : `\nWith these words of the user: ${args}`;
        const told = `The user starts the skill ${skill.name}. Do now what its text says.${words}\n${loaded.text}${note}`;
        const content: Content = [
          { type: 'text', text: typeof input === 'string' ? input : '' },
          { type: 'text', text: told },
        ];
        return { content, metadata: asMetadata(mark) };
      }),
    policy: grants.over,
    close: () => inTurn(() => projection.clean()),
  };
}

const toolsOf = (skills: readonly Skill[]): Tool[] =>
  skills.filter((skill) => skill.isTool && skill.forModel).map(createSkillTool);
