import { homedir } from 'node:os';
import { join } from 'node:path';
import type { SkillRoot } from '../skills/index.ts';
import type { Settings } from './settings.ts';

/** Where the skills of a project come from, in messages and lists. */
export const PROJECT = 'project';

const PRIORITY = { project: 100, home: 80, settings: 70, person: 60, added: 40 } as const;

/**
 * The folders that skills are looked for in, the highest first: the project's own, the home's, those of the
 * settings, and what other agents read of a person's home. With a home of its own (TOOLWRIGHT_HOME) the last are
 * left alone. What a project brings needs trust, and its links may not lead out of it.
 */
export function skillRoots(
  cwd: string,
  settings: Pick<Settings, 'home' | 'trust' | 'trustsSkills' | 'skillDirs'>,
): SkillRoot[] {
  const { home, trust, trustsSkills, skillDirs } = settings;
  const isTrusted = trust.trusted || trustsSkills;
  const ofProject = (path: string, priority: number): SkillRoot => {
    return { path, source: PROJECT, priority, isTrusted, boundary: cwd };
  };
  const own = (path: string, source: string, priority: number): SkillRoot => {
    return { path, source, priority, isTrusted: true };
  };
  const person = homedir();
  const roots = [
    ...['.toolwright', '.agents', '.claude'].map((folder, index) =>
      ofProject(join(cwd, folder, 'skills'), PRIORITY.project - index),
    ),
    own(join(home, 'skills'), 'home', PRIORITY.home),
    ...skillDirs.map(({ path, isProject }) =>
      isProject ? ofProject(path, PRIORITY.project - 5) : own(path, 'settings', PRIORITY.settings),
    ),
    ...(home === join(person, '.toolwright')
      ? ['.agents', '.claude'].map((folder, index) =>
          own(join(person, folder, 'skills'), `~/${folder}`, PRIORITY.person - index),
        )
      : []),
  ];
  const paths = new Set(roots.filter((root) => root.source !== PROJECT).map((root) => root.path));
  return roots.filter((root) => root.source !== PROJECT || !paths.has(root.path));
}

/** A folder that the program itself adds. */
export const addedRoot = (path: string, source: string): SkillRoot => ({
  path,
  source,
  priority: PRIORITY.added,
  isTrusted: true,
});
