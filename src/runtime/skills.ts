import { basename, dirname, join, resolve } from 'node:path';
import type { Clock, NewId } from '../core/index.ts';
import {
  type AddedSkill,
  addSkill,
  createSkillCatalog,
  driftOf,
  readBody,
  readLock,
  type Skill,
  type SkillCatalog,
  type SkillEntry,
  type SkillView,
  type SkillViewOptions,
  type ValidatedSkill,
  validateSkills,
} from '../skills/index.ts';
import type { Settings } from './settings.ts';
import { addedRoot, PROJECT, skillRoots } from './skill-roots.ts';

/** The skills of a runtime. */
export interface RuntimeSkills {
  /** All that was found, as the disk is now: with what cannot be used, and why. */
  list(): Promise<readonly SkillEntry[]>;
  /** A folder with skills in it, or a skill's own; relative to the runtime's folder. */
  add(dir: string, options?: { readonly source?: string }): void;
  /** Holds a skill's folder, or a folder of skills, against the standard. */
  validate(dir: string): Promise<readonly ValidatedSkill[]>;
  /** Copies a skill's folder into the home, or into the project, and notes its hashes. */
  install(dir: string, options?: { readonly inProject?: boolean }): Promise<AddedSkill>;
  /** The instructions of a skill. */
  text(skill: Skill): Promise<string>;
  /** The skills that may be used, as the disk is now. */
  view(options?: SkillViewOptions): Promise<SkillView>;
  /** Remembers a person's yes to what this project brings; its skills may be used from now on. */
  trustProject(): Promise<void>;
  readonly catalog: SkillCatalog;
}

export function createRuntimeSkills(cwd: string, settings: Settings, clock: Clock, newId: NewId): RuntimeSkills {
  const catalog = createSkillCatalog({ roots: skillRoots(cwd, settings), clock });
  return {
    catalog,
    async list() {
      await catalog.refresh();
      return withDrift(catalog.entries());
    },
    validate: (dir) => validateSkills(resolve(cwd, dir)),
    install: (dir, { inProject = false } = {}) =>
      addSkill(resolve(cwd, dir), join(inProject ? join(cwd, '.toolwright') : settings.home, 'skills'), newId),
    text: async (skill) => (await readBody(skill)).text,
    add: (dir, { source = 'added' } = {}) => catalog.add(addedRoot(resolve(cwd, dir), source)),
    async view(options) {
      await catalog.refresh();
      return catalog.view(options);
    },
    async trustProject() {
      await settings.trust.grant();
      catalog.trust(PROJECT);
    },
  };
}

/** Skills that were installed and have changed since say so. */
async function withDrift(entries: readonly SkillEntry[]): Promise<readonly SkillEntry[]> {
  const roots = new Map(
    [...new Set(entries.map(({ path }) => dirname(dirname(path))))].map((root) => [root, readLock(root)]),
  );
  const all: SkillEntry[] = [];
  for (const entry of entries) {
    const folder = dirname(entry.path);
    const locked = (await roots.get(dirname(folder)))?.get(basename(folder));
    const drift = entry.skill && locked ? await driftOf(folder, locked) : [];
    const status = drift.length > 0 && entry.status === 'ok' ? 'warning' : entry.status;
    all.push(drift.length === 0 ? entry : { ...entry, status, diagnostics: [...entry.diagnostics, ...drift] });
  }
  return all;
}
