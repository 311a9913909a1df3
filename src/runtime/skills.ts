import { resolve } from 'node:path';
import type { Clock } from '../core/index.ts';
import {
  createSkillCatalog,
  type SkillCatalog,
  type SkillEntry,
  type SkillView,
  type SkillViewOptions,
} from '../skills/index.ts';
import type { Settings } from './settings.ts';
import { addedRoot, PROJECT, skillRoots } from './skill-roots.ts';

/** The skills of a runtime. */
export interface RuntimeSkills {
  /** All that was found, as the disk is now: with what cannot be used, and why. */
  list(): Promise<readonly SkillEntry[]>;
  /** A folder with skills in it, or a skill's own; relative to the runtime's folder. */
  add(dir: string, options?: { readonly source?: string }): void;
  /** The skills that may be used, as the disk is now. */
  view(options?: SkillViewOptions): Promise<SkillView>;
  /** Remembers a person's yes to what this project brings; its skills may be used from now on. */
  trustProject(): Promise<void>;
  readonly catalog: SkillCatalog;
}

export function createRuntimeSkills(cwd: string, settings: Settings, clock: Clock): RuntimeSkills {
  const catalog = createSkillCatalog({ roots: skillRoots(cwd, settings), clock });
  return {
    catalog,
    async list() {
      await catalog.refresh();
      return catalog.entries();
    },
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
