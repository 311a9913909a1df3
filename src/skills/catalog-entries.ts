import { basename } from 'node:path';
import type { ReadSkill } from './read-skill.ts';
import type { Scan } from './scan-root.ts';
import type { Skill, SkillDiagnostic } from './skill.ts';
import type { SkillRoot } from './skill-root.ts';

export type SkillStatus = 'ok' | 'warning' | 'shadowed' | 'skipped' | 'untrusted';

/** One skill that was found, whether it can be used or not. */
export interface SkillEntry {
  readonly name: string;
  readonly description: string;
  readonly source: string;
  readonly path: string;
  readonly status: SkillStatus;
  readonly diagnostics: readonly SkillDiagnostic[];
  /** There when it could be read. */
  readonly skill?: Skill;
  readonly priority: number;
}

/** What was found in a root: skills that were read, and what was passed over. */
export function entriesOf(root: SkillRoot, scan: Scan, readOf: (file: string) => ReadSkill | undefined): SkillEntry[] {
  const { source, priority } = root;
  const passedOver = scan.notes.map((note): SkillEntry => {
    return {
      name: basename(note.file),
      description: '',
      source,
      path: note.file,
      status: 'skipped',
      diagnostics: [note],
      priority,
    };
  });
  const read = scan.found.flatMap(({ file }): SkillEntry[] => {
    const each = readOf(file);
    if (each === undefined) return [];
    const { skill, name, diagnostics } = each;
    const status =
      skill === undefined ? 'skipped' : root.isTrusted ? (diagnostics.length > 0 ? 'warning' : 'ok') : 'untrusted';
    const description = skill?.description ?? '';
    return [{ name, description, source, path: file, status, diagnostics, priority, ...(skill ? { skill } : {}) }];
  });
  return [...read, ...passedOver];
}

/** Of those with one name the first stands; one that may not be used shadows nothing. */
export function stand(all: readonly SkillEntry[]): {
  entries: SkillEntry[];
  standing: { skill: Skill; source: string }[];
} {
  const taken = new Map<string, SkillEntry>();
  const standing: { skill: Skill; source: string }[] = [];
  const entries = all.map((entry): SkillEntry => {
    if (entry.skill === undefined || entry.status === 'untrusted') return entry;
    const first = taken.get(entry.name);
    if (first === undefined) {
      taken.set(entry.name, entry);
      standing.push({ skill: entry.skill, source: entry.source });
      return entry;
    }
    const message = `the skill ${JSON.stringify(entry.name)} of ${first.path} stands in its place`;
    const note: SkillDiagnostic = { rule: 'name-taken', severity: 'warning', message, file: entry.path };
    return { ...entry, status: 'shadowed', diagnostics: [...entry.diagnostics, note] };
  });
  return { entries, standing };
}

/** The order of lists. */
export function byPriority(a: SkillEntry, b: SkillEntry): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.path < b.path ? -1 : 1;
}
