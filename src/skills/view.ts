import type { Skill } from './skill.ts';
import { namesOf, plainName } from './skill-names.ts';

/** What a view looks at: a catalog. */
export interface SkillSource {
  /** A new array whenever anything has changed. */
  skills(): readonly Skill[];
}

export interface SkillViewOptions {
  /** Names, other names, or `prefix*`; absent: every skill. An empty list allows none. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Catalogs in order of priority: of one name the first wins. This one comes first when it is not among them. */
  readonly from?: readonly SkillSource[];
}

/** The skills that a session may use. It is live: what is added later and allowed appears. */
export interface SkillView {
  /** By priority and name; a new array whenever anything has changed. */
  skills(): readonly Skill[];
  get(name: string): Skill | undefined;
  names(): readonly string[];
  /** Lines of the lists that match no skill. */
  readonly unknown: readonly string[];
}

interface Snapshot {
  readonly seen: readonly (readonly Skill[])[];
  readonly skills: readonly Skill[];
  readonly byName: ReadonlyMap<string, Skill>;
  readonly unknown: readonly string[];
}

export function createSkillView(catalog: SkillSource, options: SkillViewOptions): SkillView {
  const given = options.from ?? [];
  const catalogs = given.includes(catalog) ? given : [catalog, ...given];
  let snapshot: Snapshot | undefined;
  const read = (): Snapshot => {
    const seen = catalogs.map((each) => each.skills());
    if (snapshot && seen.every((skills, index) => skills === snapshot?.seen[index])) return snapshot;
    snapshot = lookAt(seen, options);
    return snapshot;
  };
  return {
    skills: () => read().skills,
    get: (name) => read().byName.get(name) ?? read().byName.get(plainName(name)),
    names: () => read().skills.map((skill) => skill.name),
    get unknown() {
      return read().unknown;
    },
  };
}

function lookAt(seen: readonly (readonly Skill[])[], { allow, deny = [] }: SkillViewOptions): Snapshot {
  const first = new Map<string, Skill>();
  for (const skill of seen.flat()) if (!first.has(skill.name)) first.set(skill.name, skill);
  const all = [...first.values()];
  const byName = namesOf(all);
  const matched = (line: string): readonly Skill[] => {
    if (line.endsWith('*')) return all.filter((skill) => skill.name.startsWith(line.slice(0, -1)));
    const skill = byName.get(line) ?? byName.get(plainName(line));
    return skill ? [skill] : [];
  };
  const lines = [...new Set([...(allow ?? []), ...deny].map((line) => line.trim()).filter((line) => line !== ''))];
  const allowed = allow && new Set(allow.flatMap((line) => matched(line.trim())));
  const denied = new Set(deny.flatMap((line) => matched(line.trim())));
  const skills = all.filter((skill) => (allowed?.has(skill) ?? true) && !denied.has(skill));
  return { seen, skills, byName: namesOf(skills), unknown: lines.filter((line) => matched(line).length === 0) };
}
