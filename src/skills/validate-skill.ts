import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, normalize } from 'node:path';
import { messageOf } from '../core/index.ts';
import { splitFrontMatter } from './front-matter.ts';
import { inParallel } from './in-parallel.ts';
import { listFiles } from './list-files.ts';
import { findSkill, MOST_BYTES, readSkill } from './read-skill.ts';
import { scanRoot } from './scan-root.ts';
import type { SkillDiagnostic } from './skill.ts';
import { readDrift } from './skills-lock.ts';

export interface ValidatedSkill {
  readonly name: string;
  readonly path: string;
  /** False: the standard is broken, or the skill cannot be used. */
  readonly isValid: boolean;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/**
 * Holds a skill's folder against the standard and looks at what lies in it; of a folder with skills in it, all of
 * them. Every rule that is broken is told, with its line where it has one.
 */
export async function validateSkills(folder: string): Promise<readonly ValidatedSkill[]> {
  const found = await findSkill(folder).catch((error: unknown) => messageOf(error));
  if (typeof found === 'string') return [broken(folder, 'folder-unreadable', `the folder cannot be read: ${found}`)];
  if (found !== undefined) return [await validateOne(found)];
  const scan = await scanRoot(folder);
  if (scan.found.length === 0) return [broken(folder, 'file-missing', 'there is no SKILL.md')];
  return inParallel(scan.found, 8, validateOne);
}

async function validateOne(found: NonNullable<Awaited<ReturnType<typeof findSkill>>>): Promise<ValidatedSkill> {
  const { file, folder } = found;
  const read = await readSkill(found);
  const drift = await readDrift(dirname(folder), basename(folder));
  const inside = await checkFiles(file, folder);
  const diagnostics = [...read.diagnostics, ...inside, ...drift].sort(byPlace);
  const isValid = read.skill !== undefined && diagnostics.every(({ severity }) => severity !== 'error');
  return { name: read.name, path: file, isValid, diagnostics };
}

async function checkFiles(file: string, folder: string): Promise<SkillDiagnostic[]> {
  const { files, notes } = await listFiles(folder);
  const warn = (rule: string, message: string, at: string, line?: number): SkillDiagnostic => {
    return { rule, severity: 'warning', message, file: at, ...(line === undefined ? {} : { line }) };
  };
  const left = notes.map((note) => warn('file-left-out', note, folder));
  const scripts = files.filter(({ path, mode }) => /^scripts\/.*\.(sh|bash)$/.test(path) && (mode & 0o111) === 0);
  const bits = scripts.map(({ path, real }) => warn('run-bit', `${path} has no run bit`, real));
  return [...left, ...bits, ...(await checkLinks(file, folder, warn))];
}

/** Links of the instructions to files that are not there, or not in the folder. */
async function checkLinks(
  file: string,
  folder: string,
  warn: (rule: string, message: string, at: string, line?: number) => SkillDiagnostic,
): Promise<SkillDiagnostic[]> {
  const size = (await stat(file).catch(() => undefined))?.size ?? Number.POSITIVE_INFINITY;
  if (size > MOST_BYTES) return [];
  const { body, bodyLine } = splitFrontMatter(await readFile(file, 'utf8').catch(() => ''));
  const found: SkillDiagnostic[] = [];
  let isCode = false;
  for (const [index, line] of body.split('\n').entries()) {
    if (/^ {0,3}(```|~~~)/.test(line)) isCode = !isCode;
    if (isCode) continue;
    for (const match of line.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)) {
      const target = match[1] ?? '';
      if (/^[a-z][a-z0-9+.-]*:|^[/<{$~]/i.test(target)) continue;
      const path = normalize(target);
      if (path === '..' || path.startsWith('../')) {
        found.push(warn('link-outside', `the link to ${target} leads out of the skill`, file, bodyLine + index));
      } else if ((await stat(join(folder, decode(path))).catch(() => undefined)) === undefined) {
        found.push(warn('link-missing', `the link to ${target} leads to nothing`, file, bodyLine + index));
      }
    }
  }
  return found;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function broken(path: string, rule: string, message: string): ValidatedSkill {
  const diagnostics: SkillDiagnostic[] = [{ rule, severity: 'error', message, file: path }];
  return { name: basename(path), path, isValid: false, diagnostics };
}

function byPlace(a: SkillDiagnostic, b: SkillDiagnostic): number {
  if (a.severity !== b.severity) return a.severity === 'error' ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0);
}
