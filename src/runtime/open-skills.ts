import { rmdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Log, Message, Root, Roots, Sandbox, Tool } from '../core/index.ts';
import { createPolicy, parseRule, type Rule } from '../policy/index.ts';
import { createRegistry, type Registry, type View } from '../registry/index.ts';
import {
  createLoadSkill,
  createProjection,
  createSessionSkills,
  lockFolder,
  type SessionSkills,
} from '../skills/index.ts';
import { makeFolder, safeFileName } from '../store/index.ts';
import type { RuntimeSkills } from './skills.ts';

export interface OpenSkillsOptions {
  readonly skills: RuntimeSkills;
  readonly home: string;
  readonly sessionId: string;
  /** The session's allow-list. */
  readonly allow?: readonly string[];
  readonly canonical: (name: string) => string;
  /** Rules that no skill's own stand against. */
  readonly deny: readonly (Rule | string)[];
  readonly log: Log;
}

/** A session's skills before its sandbox is made. */
export interface OpenSkills {
  /**
   * Where the copies go. A sandbox that has folders of its own may put it elsewhere, which the roots that it gives
   * back say, or leave it out: the copies then go into its working folder.
   */
  readonly root: Root;
  /** Tools of this session alone: the loader with the names of its skills, and the skills that are tools. */
  readonly tools: Registry;
  /** Names of the allow-list that no skill has. */
  readonly unknown: readonly string[];
  start(place: { sandbox: Sandbox; roots: Roots }, messages: () => readonly Message[]): StartedSkills;
}

export interface StartedSkills extends SessionSkills {
  /** The sandbox as tools see it. */
  readonly place: { readonly sandbox: Sandbox; readonly roots: Roots };
}

/** Nothing for a session whose tools do not hold the one that loads skills. */
export async function openSkills(tools: View, options: OpenSkillsOptions): Promise<OpenSkills | undefined> {
  if (tools.get('load_skill') === undefined) return undefined;
  const { skills, home, sessionId, allow, canonical, deny, log } = options;
  const view = await skills.view(allow === undefined ? {} : { allow });
  const session = join(home, 'sessions', safeFileName(sessionId));
  const folder = join(session, 'skills');
  makeFolder(folder);
  const own = createRegistry();
  const names = view.skills().filter((skill) => skill.forModel);
  own.add(createLoadSkill(names.map((skill) => skill.name)), { source: 'skills' });
  let added: readonly Tool[] = [];
  const onTools = (next: readonly Tool[]): void => {
    for (const { name } of added) own.remove(name);
    added = next.filter((tool) => own.get(tool.name) === undefined);
    for (const tool of added) own.add(tool, { source: 'skills' });
  };
  return {
    root: { path: folder, access: 'write', label: 'skill' },
    tools: own,
    get unknown() {
      return view.unknown;
    },
    start(place, messages) {
      const judge = (rules: readonly string[]) => {
        const grants = rules.filter(isRule(log));
        return createPolicy({ mode: 'strict', grants, deny, canonical, cwd: place.roots.cwd, home: homedir() });
      };
      const there =
        place.roots.list.find((root) => root.label === 'skill')?.path ??
        join(place.roots.cwd, '.toolwright', 'sessions', basename(session), 'skills');
      const projection = createProjection(place.sandbox, there);
      const started = createSessionSkills({ catalog: skills.catalog, view, projection, messages, judge, onTools, log });
      return {
        ...started,
        place: lockFolder(place, there),
        async close() {
          await started.close();
          for (let path = there, up = 0; up < 3; path = dirname(path), up++) {
            await place.sandbox.remove(path).catch(() => {});
          }
          for (const path of [folder, session, dirname(session)]) await rmdir(path).catch(() => {});
        },
      };
    },
  };
}

const isRule = (log: Log) => (rule: string) => {
  try {
    parseRule(rule);
    return true;
  } catch (error) {
    log('warn', `a tool of a skill is left out: ${error instanceof Error ? error.message : rule}`);
    return false;
  }
};
