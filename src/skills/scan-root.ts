import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { inParallel } from './in-parallel.ts';
import { type FoundSkill, skillFiles } from './read-skill.ts';
import type { SkillDiagnostic } from './skill.ts';

/** How far a scan goes. */
export interface ScanLimits {
  /** Folders in folders below the root. */
  readonly depth: number;
  readonly folders: number;
  readonly skills: number;
}

export const SCAN_LIMITS: ScanLimits = { depth: 5, folders: 10_000, skills: 5_000 };

const LEFT_OUT = new Set(['node_modules', '__pycache__', 'venv', 'dist', 'build']);
const AT_ONCE = 32;

export interface Scan {
  readonly found: readonly FoundSkill[];
  /** Folders that hold no skill themselves, with the time at which their list of names last changed. */
  readonly folders: readonly { readonly path: string; readonly mtimeMs: number }[];
  /** What was passed over: links that lead nowhere, out, or back; limits that were reached. */
  readonly notes: readonly SkillDiagnostic[];
}

interface Place {
  /** Real path. */
  readonly path: string;
  readonly name: string;
}

/**
 * Looks for folders with a SKILL.md, level by level; below one that has it nothing more is looked for. Links are
 * followed, each real folder is seen once, and with a `boundary` nothing outside of it is. Names that begin with
 * a dot are passed over.
 */
export async function scanRoot(root: string, boundary?: string, limits: ScanLimits = SCAN_LIMITS): Promise<Scan> {
  const found: FoundSkill[] = [];
  const folders: { path: string; mtimeMs: number }[] = [];
  const notes: SkillDiagnostic[] = [];
  const note = (rule: string, message: string, file: string) =>
    void notes.push({ rule, severity: 'warning', message, file });
  const real = await realpath(root).catch(() => undefined);
  if (real === undefined) return { found, folders, notes };
  const seen = new Set([real]);

  const look = async ({ path, name }: Place): Promise<{ folders: Place[]; links: string[] }> => {
    try {
      let entries = await readdir(path, { withFileTypes: true });
      const { file, extraFile } = skillFiles(entries.map((entry) => entry.name));
      const isRoot = path === real;
      if (file !== undefined) {
        found.push({
          folder: path,
          folderName: name,
          file: join(path, file),
          ...(extraFile === undefined ? {} : { extraFile: join(path, extraFile) }),
          ...(boundary === undefined ? {} : { boundary }),
        });
      }
      if (file !== undefined && !isRoot) return { folders: [], links: [] };
      // The time first, then the names: what comes between the two is seen the next time.
      folders.push({ path, mtimeMs: (await stat(path)).mtimeMs });
      entries = await readdir(path, { withFileTypes: true });
      const inside = entries.filter((entry) => !entry.name.startsWith('.') && !LEFT_OUT.has(entry.name));
      return {
        folders: inside.filter((entry) => entry.isDirectory()).map(({ name }) => ({ path: join(path, name), name })),
        links: inside
          .filter((entry) => entry.isSymbolicLink() && entry.name !== file)
          .map((entry) => join(path, entry.name)),
      };
    } catch (error) {
      note('folder-unreadable', `the folder cannot be read: ${(error as Error).message}`, path);
      return { folders: [], links: [] };
    }
  };
  const follow = async (link: string): Promise<Place | undefined> => {
    const target = await realpath(link).catch(() => undefined);
    if (target === undefined) return void note('link-dangling', 'the link leads nowhere', link);
    if (!(await stat(target)).isDirectory()) return void note('link-to-file', 'the link leads to no folder', link);
    if (boundary !== undefined && target !== boundary && !target.startsWith(boundary + sep)) {
      return void note('link-outside', `the link leads out of ${boundary}`, link);
    }
    return { path: target, name: basename(link) };
  };

  let level: Place[] = [{ path: real, name: basename(root) }];
  for (let depth = 0; level.length > 0; depth++) {
    const looked = await inParallel(level, AT_ONCE, look);
    const next: Place[] = [];
    const take = (place: Place): boolean => {
      if (seen.has(place.path)) return false;
      seen.add(place.path);
      next.push(place);
      return true;
    };
    for (const place of looked.flatMap((each) => each.folders)) take(place);
    const links = looked.flatMap((each) => each.links).sort();
    for (const [index, place] of (await inParallel(links, AT_ONCE, follow)).entries()) {
      if (place && !take(place))
        note('link-again', 'the link leads to a folder that is looked at already', links[index] ?? '');
    }
    next.sort((a, b) => (a.path < b.path ? -1 : 1));
    if (next.length > 0 && depth >= limits.depth) {
      note('scan-depth', `folders more than ${limits.depth} deep are not looked at`, next[0]?.path ?? root);
      break;
    }
    if (seen.size > limits.folders) {
      note('scan-folders', `only ${limits.folders} folders are looked at`, root);
      await inParallel(next.slice(0, limits.folders - seen.size), AT_ONCE, look);
      break;
    }
    level = next;
  }
  found.sort((a, b) => (a.file < b.file ? -1 : 1));
  if (found.length > limits.skills) note('scan-skills', `only the first ${limits.skills} skills are read`, root);
  return { found: found.slice(0, limits.skills), folders, notes };
}
