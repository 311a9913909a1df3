import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { inParallel } from './in-parallel.ts';

/** A file that belongs to a skill. */
export interface SkillFile {
  /** Relative to the skill's folder, with `/`. */
  readonly path: string;
  /** Where its bytes are: the real path, inside of the skill's folder. */
  readonly real: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly mode: number;
  readonly isLink: boolean;
}

export interface SkillFiles {
  readonly files: readonly SkillFile[];
  /** What was left out, a line each. */
  readonly notes: readonly string[];
}

const MOST_FILES = 2_000;
const DEEPEST = 8;
const LEFT_OUT = new Set(['.git', '.hg', '.svn', 'node_modules', '__pycache__', '.venv', 'venv', '.DS_Store']);

/**
 * The files below a skill's folder, sorted. A link to something inside of it counts as what it leads to; one that
 * leads out, nowhere or in a circle is left out and told.
 */
export async function listFiles(folder: string): Promise<SkillFiles> {
  const files: SkillFile[] = [];
  const notes: string[] = [];
  const isInside = (real: string) => real === folder || real.startsWith(folder + sep);
  let level: { at: string; path: string; trail: readonly string[] }[] = [{ at: folder, path: '', trail: [folder] }];

  for (let depth = 0; level.length > 0 && files.length <= MOST_FILES; depth++) {
    const next: typeof level = [];
    if (depth > DEEPEST) {
      notes.push(`${level[0]?.path}: folders more than ${DEEPEST} deep are left out`);
      break;
    }
    for (const { at, path, trail } of level) {
      const entries = await readdir(at, { withFileTypes: true }).catch(() => undefined);
      if (entries === undefined) {
        notes.push(`${path || '.'}: the folder cannot be read`);
        continue;
      }
      const wanted = entries.filter((entry) => !LEFT_OUT.has(entry.name)).slice(0, MOST_FILES + 1);
      const looked = await inParallel(wanted, 16, async (entry) => {
        const own = path === '' ? entry.name : `${path}/${entry.name}`;
        const isLink = entry.isSymbolicLink();
        const real = isLink ? await realpath(join(at, entry.name)).catch(() => undefined) : join(at, entry.name);
        if (real === undefined) return `${own}: a link that leads nowhere`;
        if (!isInside(real)) return `${own}: a link that leads out of the skill's folder`;
        const found = await stat(real).catch(() => undefined);
        if (found === undefined) return `${own}: it cannot be looked at`;
        return { own, isLink, real, found };
      });
      for (const each of looked) {
        if (typeof each === 'string') {
          notes.push(each);
          continue;
        }
        const { own, isLink, real, found } = each;
        if (found.isDirectory()) {
          if (trail.includes(real)) notes.push(`${own}: a link that leads in a circle`);
          else next.push({ at: real, path: own, trail: [...trail, real] });
        } else if (found.isFile()) {
          const { size, mtimeMs, ino, mode } = found;
          files.push({ path: own, real, size, mtimeMs, ino, mode, isLink });
        } else notes.push(`${own}: neither a file nor a folder`);
      }
    }
    level = next;
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  if (files.length > MOST_FILES) notes.push(`only the first ${MOST_FILES} files are taken`);
  return { files: files.slice(0, MOST_FILES), notes };
}
