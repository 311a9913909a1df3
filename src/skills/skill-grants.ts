import type { Decision, JudgedCall, Policy } from '../core/index.ts';
import type { Projected } from './project-skills.ts';
import type { Skill } from './skill.ts';

/** Makes a judge that allows, as grants, what these rules cover. */
export type GrantJudge = (rules: readonly string[]) => Pick<Policy, 'decide'>;

/** What the active skills allow and forbid. */
export interface SkillGrants {
  /** `place`: where its files lie in the sandbox. Gives what is to be said of it, a line each. */
  activate(skill: Skill, place: Pick<Projected, 'folder' | 'files'>): readonly string[];
  drop(name: string): void;
  /** A new input of the person ends the restrictions. */
  endRestrictions(): void;
  /** The session's policy with the skills' word: a grant satisfies an ask and never a deny; a restriction denies. */
  over<Base extends Policy>(policy: Base): Base;
}

interface Active {
  readonly grant?: Pick<Policy, 'decide'>;
  readonly restrict?: Pick<Policy, 'decide'>;
}

/** Loading is always allowed by a restriction: else one skill could lock the others out. */
const isLoading = ({ name }: JudgedCall) => name === 'load_skill' || name.startsWith('skill_');

/**
 * `known` are the skills as they were when the session began: what one allows counts only as it stood then, so that
 * nobody who can write into its folder during the session can allow himself more.
 */
export function createSkillGrants(judge: GrantJudge, known: readonly Skill[]): SkillGrants {
  const allowedAtStart = new Map(known.map((skill) => [skill.file, skill.allowedTools.join(' ')]));
  const active = new Map<string, Active>();
  const covers = (judged: Pick<Policy, 'decide'>, call: JudgedCall) => judged.decide(call).layer === 'grant';
  const decide = (base: Decision, call: JudgedCall): Decision => {
    if (base.effect === 'deny') return base;
    for (const [name, { restrict }] of active) {
      if (restrict === undefined || isLoading(call) || covers(restrict, call)) continue;
      const reason = `the skill ${name}, which is active, restricts itself to other tools (restrict-tools)`;
      return { effect: 'deny', reason, rule: `restrict-tools of ${name}`, layer: 'rules' };
    }
    if (base.layer === 'grant') return base;
    for (const [name, { grant }] of active) {
      const decision = grant?.decide(call);
      if (decision?.layer !== 'grant') continue;
      const rule = decision.rule === undefined ? {} : { rule: decision.rule };
      return {
        effect: 'allow',
        reason: `the active skill ${name} is allowed it (allowed-tools)`,
        ...rule,
        layer: 'grant',
      };
    }
    return base;
  };
  return {
    activate(skill, place) {
      const { name, restrictTools } = skill;
      const isKnown = allowedAtStart.get(skill.file) === skill.allowedTools.join(' ');
      const allowedTools = isKnown ? skill.allowedTools.flatMap((rule) => rulesHere(rule, place)) : [];
      active.set(name, {
        ...(allowedTools.length > 0 ? { grant: judge(allowedTools) } : {}),
        ...(restrictTools === undefined ? {} : { restrict: judge(restrictTools) }),
      });
      return isKnown || skill.allowedTools.length === 0
        ? []
        : ['its allowed-tools are new in this session and spare no asking until the next one'];
    },
    drop: (name) => void active.delete(name),
    endRestrictions() {
      for (const [name, { grant }] of active) active.set(name, grant ? { grant } : {});
    },
    over: (policy) => ({ ...policy, decide: (call) => decide(policy.decide(call), call) }),
  };
}

/** A rule of a skill names its own files as they lie in its folder; here they have a folder before them. */
function rulesHere(rule: string, { folder, files }: Pick<Projected, 'folder' | 'files'>): string[] {
  const named = rule.replace(/\$\{CLAUDE_SKILL_DIR\}|\{baseDir\}/g, () => folder);
  const [, tool, path, rest] = /^([^(]+)\((?:\.\/)?([^\s:)]+)(.*)$/s.exec(named) ?? [];
  return path !== undefined && files.includes(path) ? [named, `${tool}(${folder}/${path}${rest}`] : [named];
}
