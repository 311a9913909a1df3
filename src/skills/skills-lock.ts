import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../core/index.ts';
import { inParallel } from './in-parallel.ts';
import { listFiles } from './list-files.ts';
import type { SkillDiagnostic } from './skill.ts';

/** What was installed of one skill. */
export interface LockedSkill {
  /** Where it was taken from. */
  readonly source: string;
  /** Path -> SHA-256 of its content, hex. */
  readonly files: Readonly<Record<string, string>>;
}

const NAME = 'skills.lock';
const MOST_TOLD = 20;

/** The skills that were installed into a folder, by their folder's name; none when there is no `skills.lock` that can be read. */
export async function readLock(root: string): Promise<ReadonlyMap<string, LockedSkill>> {
  const locked = new Map<string, LockedSkill>();
  try {
    const value: unknown = JSON.parse(await readFile(join(root, NAME), 'utf8'));
    const skills = isObject(value) && isObject(value['skills']) ? value['skills'] : {};
    for (const [name, each] of Object.entries(skills)) {
      if (!isObject(each) || !isObject(each['files'])) continue;
      const files = Object.entries(each['files']).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      );
      locked.set(name, { source: String(each['source'] ?? ''), files: Object.fromEntries(files) });
    }
  } catch {}
  return locked;
}

/** Notes what was installed, beside what is noted already. */
export async function writeLock(root: string, name: string, skill: LockedSkill): Promise<void> {
  const known = await readLock(root);
  const skills = Object.fromEntries([...new Map([...known, [name, skill]])].sort(([a], [b]) => (a < b ? -1 : 1)));
  const temp = join(root, `.${NAME}.${process.pid}`);
  await writeFile(temp, `${JSON.stringify({ version: 1, skills }, null, 2)}\n`);
  await rename(temp, join(root, NAME));
}

/** Hashes of all files of a skill. */
export async function hashFiles(folder: string): Promise<Record<string, string>> {
  const { files } = await listFiles(folder);
  const hashes = await inParallel(files, 8, async ({ path, real }): Promise<[string, string]> => {
    return [
      path,
      createHash('sha256')
        .update(await readFile(real))
        .digest('hex'),
    ];
  });
  return Object.fromEntries(hashes);
}

/** How an installed skill differs from what was installed; nothing for one that is not in `skills.lock`. */
export async function readDrift(root: string, name: string): Promise<readonly SkillDiagnostic[]> {
  const locked = (await readLock(root)).get(name);
  return locked === undefined ? [] : driftOf(join(root, name), locked);
}

export async function driftOf(folder: string, { files, source }: LockedSkill): Promise<readonly SkillDiagnostic[]> {
  const now = await hashFiles(folder).catch(() => ({}) as Record<string, string>);
  const drift: SkillDiagnostic[] = [];
  const tell = (rule: string, what: string, path: string) => {
    const message = `${path} ${what} since the skill was installed from ${source}`;
    drift.push({ rule, severity: 'warning', message, file: join(folder, path) });
  };
  for (const [path, hash] of Object.entries(files)) {
    if (now[path] === undefined) tell('drift-missing', 'has gone', path);
    else if (now[path] !== hash) tell('drift-changed', 'has changed', path);
  }
  for (const path of Object.keys(now)) if (files[path] === undefined) tell('drift-added', 'has come', path);
  return drift.slice(0, MOST_TOLD);
}
