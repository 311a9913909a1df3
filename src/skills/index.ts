export {
  createSkillCatalog,
  type SkillCatalog,
  type SkillCatalogOptions,
  type SkillEntry,
  type SkillRoot,
  type SkillStatus,
} from './catalog.ts';
export { lockFolder } from './lock-folder.ts';
export { createProjection } from './project-skills.ts';
export { createSessionSkills, type SessionSkills } from './session-skills.ts';
export type { Skill, SkillDiagnostic } from './skill.ts';
export { createLoadSkill } from './skill-tool.ts';
export type { SkillView, SkillViewOptions } from './view.ts';
