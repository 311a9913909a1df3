import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type FileStat, messageOf, type Sandbox, sameStamp } from '../core/index.ts';
import { folderNameOf } from './folder-name.ts';
import { inParallel } from './in-parallel.ts';
import { listFiles, type SkillFile } from './list-files.ts';
import type { Skill } from './skill.ts';

/** What is in a sandbox of one skill. */
export interface Projected {
  /** Where it lies, seen from inside. */
  readonly folder: string;
  /** Paths in it, sorted. */
  readonly files: readonly string[];
  /** What was mended, left out or kept, a line each. */
  readonly notes: readonly string[];
}

/** Copies of skills in a sandbox, each at a place of its own that stays the same. */
export interface Projection {
  folderOf(skill: Skill): string;
  /** Copies what is new or has changed on the host. A copy that was edited inside is kept, and that is told. */
  bring(skill: Skill): Promise<Projected>;
  /** The skills whose copies are there. */
  brought(): readonly string[];
  /** Takes all copies away again. */
  clean(): Promise<void>;
}

const MOST_FILE_BYTES = 10 * 1_048_576;
const MOST_BYTES = 50 * 1_048_576;
const AT_ONCE = 8;

interface Copy {
  readonly host: SkillFile;
  readonly copy: FileStat;
}

/** Goes through the sandbox's port alone, so that it is the same in every adapter. `root` is a folder that may be written. */
export function createProjection(sandbox: Sandbox, root: string): Projection {
  const copies = new Map<string, Map<string, Copy>>();
  let last: Promise<unknown> = Promise.resolve();
  const folderOf = (skill: Skill) => join(root, folderNameOf(skill.name));

  const bring = async (skill: Skill): Promise<Projected> => {
    const folder = folderOf(skill);
    const known = copies.get(folder) ?? new Map<string, Copy>();
    copies.set(folder, known);
    // Somebody took the copies away: they are made anew.
    if (known.size > 0 && (await sandbox.stat(join(folder, basename(skill.file)))) === undefined) known.clear();
    const { files: all, notes } = await filesOf(skill);
    const files = withinBounds(all, notes);
    const needsRunBit: string[] = [];
    await inParallel(files, AT_ONCE, async (file) => {
      const before = known.get(file.path);
      if (before && isSameFile(before.host, file)) return;
      try {
        const path = join(folder, file.path);
        if (before && (await isEdited(sandbox, path, before.copy))) {
          notes.push(`${file.path}: the copy here was edited, so the newer one of the skill was not copied over it`);
          return;
        }
        const bytes = await readFile(file.real);
        const isScript = bytes.subarray(0, 2).toString('latin1') === '#!';
        const runs = (file.mode & 0o111) !== 0;
        if (isScript && !runs) notes.push(`${file.path}: it had no run bit; its copy has`);
        const copy = await sandbox.write(path, bytes, { mode: isScript || runs ? 0o755 : 0o644 });
        if ((isScript || runs) && (copy.mode & 0o111) === 0) needsRunBit.push(file.path);
        known.set(file.path, { host: file, copy });
      } catch (error) {
        notes.push(`${file.path}: it could not be copied: ${messageOf(error)}`);
      }
    });
    await giveRunBits(sandbox, folder, needsRunBit, known, notes);
    await dropGone(sandbox, folder, files, known, notes);
    return { folder, files: [...known.keys()].sort(), notes: notes.sort() };
  };
  /** One after the other: two at once would take each other's writing for an edit. */
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
  return {
    folderOf,
    bring: (skill) => inTurn(() => bring(skill)),
    brought: () => [...copies.keys()],
    clean: () =>
      inTurn(async () => {
        for (const folder of copies.keys()) await removeTree(sandbox, folder, 0);
        copies.clear();
      }),
  };
}

/** SKILL.md itself is always among them: where a link to it may lead was judged when the skill was read. */
async function filesOf({ folder, file }: Skill): Promise<{ files: readonly SkillFile[]; notes: string[] }> {
  const { files, notes } = await listFiles(folder);
  const name = basename(file);
  if (files.some(({ path }) => path === name)) return { files, notes: [...notes] };
  const { size, mtimeMs, ino, mode } = await stat(file);
  const own = { path: name, real: file, size, mtimeMs, ino, mode, isLink: true };
  return { files: [own, ...files], notes: notes.filter((note) => !note.startsWith(`${name}:`)) };
}

function withinBounds(files: readonly SkillFile[], notes: string[]): SkillFile[] {
  let bytes = 0;
  return files.filter((file) => {
    const fits = file.size <= MOST_FILE_BYTES && bytes + file.size <= MOST_BYTES;
    if (fits) bytes += file.size;
    else notes.push(`${file.path}: too big to be copied (${file.size} bytes)`);
    return fits;
  });
}

const isSameFile = (a: SkillFile, b: SkillFile) =>
  a.real === b.real && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino && a.mode === b.mode;

async function isEdited(sandbox: Sandbox, path: string, copy: FileStat): Promise<boolean> {
  const now = await sandbox.stat(path);
  return now === undefined || !sameStamp(now, copy);
}

/** For adapters that write every file with one mode. */
async function giveRunBits(
  sandbox: Sandbox,
  folder: string,
  paths: readonly string[],
  known: Map<string, Copy>,
  notes: string[],
): Promise<void> {
  if (paths.length === 0) return;
  const full = paths.map((path) => join(folder, path));
  const started = sandbox.capabilities.processes
    ? await sandbox
        .start(['chmod', '+x', '--', ...full])
        .then((child) => child.wait())
        .catch(() => undefined)
    : undefined;
  if (started?.code !== 0) {
    for (const path of paths) notes.push(`${path}: no run bit can be set here; run it with its interpreter`);
    return;
  }
  for (const path of paths) {
    const copy = await sandbox.stat(join(folder, path));
    const before = known.get(path);
    if (copy && before) known.set(path, { ...before, copy });
  }
}

async function dropGone(
  sandbox: Sandbox,
  folder: string,
  files: readonly SkillFile[],
  known: Map<string, Copy>,
  notes: string[],
): Promise<void> {
  const there = new Set(files.map((file) => file.path));
  for (const [path, { copy }] of [...known]) {
    if (there.has(path)) continue;
    const full = join(folder, path);
    if (await isEdited(sandbox, full, copy)) {
      notes.push(`${path}: it is gone from the skill; the copy here was edited and is kept`);
      continue;
    }
    await sandbox.remove(full).catch(() => {});
    known.delete(path);
  }
}

const DEEPEST = 32;

/** Links are taken away, never followed. */
async function removeTree(sandbox: Sandbox, folder: string, depth: number): Promise<void> {
  if (depth > DEEPEST) return;
  const entries = await sandbox.list(folder).catch(() => []);
  for (const { name, kind } of entries) {
    const path = join(folder, name);
    if (kind === 'directory') await removeTree(sandbox, path, depth + 1);
    else await sandbox.remove(path).catch(() => {});
  }
  await sandbox.remove(folder).catch(() => {});
}
