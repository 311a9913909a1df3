import { chmod, copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, type NewId, ToolwrightError } from '../core/index.ts';
import { folderNameOf } from './folder-name.ts';
import { listFiles } from './list-files.ts';
import { findSkill, readSkill } from './read-skill.ts';
import type { SkillDiagnostic } from './skill.ts';
import { hashFiles, writeLock } from './skills-lock.ts';

export interface AddedSkill {
  readonly name: string;
  readonly folder: string;
  readonly files: number;
  /** False: the same skill was there already. */
  readonly isNew: boolean;
  readonly diagnostics: readonly SkillDiagnostic[];
  /** What was left out, a line each. */
  readonly notes: readonly string[];
}

const MOST_BYTES = 50 * 1_048_576;

/**
 * Copies a skill's folder into a folder of skills, whole or not at all, and notes its hashes in `skills.lock`.
 * Nothing that is there is overwritten: `conflict` when another skill has the place, `invalid_request` when the
 * folder is no skill that could be used.
 */
export async function addSkill(from: string, root: string, newId: NewId): Promise<AddedSkill> {
  const found = await findSkill(from).catch((error: unknown) => {
    throw new ToolwrightError('invalid_request', `${from} cannot be read: ${messageOf(error)}`, { cause: error });
  });
  if (found === undefined) {
    throw new ToolwrightError('invalid_request', `${from} is no skill: there is no SKILL.md in it`, {
      hint: 'Name the folder in which the SKILL.md lies.',
    });
  }
  const { skill, skipped, diagnostics } = await readSkill(found);
  if (skill === undefined) {
    throw new ToolwrightError('invalid_request', `the skill ${found.folder} cannot be used: ${skipped}`, {
      hint: `\`toolwright skills validate ${from}\` says what is wrong.`,
      data: diagnostics,
    });
  }
  const { files, notes } = await listFiles(found.folder);
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  if (bytes > MOST_BYTES) {
    throw new ToolwrightError('invalid_request', `the skill has ${bytes} bytes; at most ${MOST_BYTES} are installed`);
  }
  const place = folderNameOf(skill.name);
  const folder = join(root, place);
  const added = { name: skill.name, folder, files: files.length, diagnostics, notes };
  if ((await stat(folder).catch(() => undefined)) !== undefined) {
    const [here, there] = [await hashFiles(folder), await hashFiles(found.folder)];
    const keys = [...new Set([...Object.keys(here), ...Object.keys(there)])];
    if (keys.every((path) => here[path] === there[path])) return { ...added, isNew: false };
    throw new ToolwrightError('conflict', `${folder} is there already, and it is another skill`, {
      hint: 'Move it away first; nothing is overwritten.',
    });
  }
  await mkdir(root, { recursive: true });
  const temp = join(root, `.add-${newId()}`);
  try {
    for (const file of files) {
      const target = join(temp, file.path);
      await mkdir(dirname(target), { recursive: true });
      await copyFile(file.real, target);
      await chmod(target, (file.mode & 0o111) === 0 ? 0o644 : 0o755);
    }
    await rename(temp, folder);
  } catch (error) {
    await rm(temp, { recursive: true, force: true });
    throw error;
  }
  await writeLock(root, place, { source: found.folder, files: await hashFiles(folder) });
  return { ...added, isNew: true };
}
