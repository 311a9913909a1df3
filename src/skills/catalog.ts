import { stat } from 'node:fs/promises';
import type { Clock } from '../core/index.ts';
import { byPriority, entriesOf, type SkillEntry, stand } from './catalog-entries.ts';
import { inParallel } from './in-parallel.ts';
import { type FoundSkill, type ReadSkill, readSkill, type Stamp } from './read-skill.ts';
import { SCAN_LIMITS, type Scan, type ScanLimits, scanRoot } from './scan-root.ts';
import type { Skill } from './skill.ts';
import { namesOf, plainName } from './skill-names.ts';
import type { SkillRoot } from './skill-root.ts';
import { createSkillView, type SkillView, type SkillViewOptions } from './view.ts';

/** All skills of the process. It knows folders; which skills a session may use, its view says. */
export interface SkillCatalog {
  /** Looks at what has changed on disk; the first time, at everything. Costs a `stat` a file. */
  refresh(): Promise<void>;
  /** All that was found, by priority and name. A new array whenever anything has changed. */
  entries(): readonly SkillEntry[];
  /** The skills that stand, by priority and name; a new array whenever anything has changed. */
  skills(): readonly Skill[];
  /** By name or by another name of it. */
  get(name: string): Skill | undefined;
  sourceOf(name: string): string | undefined;
  /** A further folder; seen at the next refresh. */
  add(root: SkillRoot): void;
  /** The skills of that source may be used from now on. */
  trust(source: string): void;
  view(options?: SkillViewOptions): SkillView;
}

export interface SkillCatalogOptions {
  readonly roots?: readonly SkillRoot[];
  readonly limits?: Partial<ScanLimits>;
  readonly clock: Clock;
}

const AT_ONCE = 32;
/** A file this young may change once more without a new time: it is read again. */
const UNSETTLED_MS = 50;

interface Known {
  readonly read: ReadSkill;
  readonly found: FoundSkill;
  readonly isSettled: boolean;
}

interface RootState {
  readonly root: SkillRoot;
  readonly scan: Scan;
}

export function createSkillCatalog({ roots = [], limits = {}, clock }: SkillCatalogOptions): SkillCatalog {
  const scanLimits = { ...SCAN_LIMITS, ...limits };
  let wanted: readonly SkillRoot[] = [...roots];
  let states: readonly RootState[] | undefined;
  /** By path of SKILL.md. */
  let known = new Map<string, Known>();
  let entries: readonly SkillEntry[] = [];
  let skills: readonly Skill[] = [];
  let byName = new Map<string, Skill>();
  let sources = new Map<Skill, string>();

  const isSame = async ({ read, isSettled }: Known): Promise<boolean> => {
    if (!isSettled || read.stamps.length === 0) return false;
    return (await Promise.all(read.stamps.map(isUnchanged))).every(Boolean);
  };
  const readOne = async (found: FoundSkill): Promise<Known> => {
    const before = known.get(found.file);
    if (before && before.found.extraFile === found.extraFile && (await isSame(before))) return before;
    const now = clock.now();
    const read = await readSkill(found);
    const isSettled = read.stamps.every((stamp) => stamp.mtimeMs < now - UNSETTLED_MS);
    return before && isEqual(before.read, read) && isSettled === before.isSettled ? before : { read, found, isSettled };
  };

  /** Undefined: nothing has changed. */
  const look = async (): Promise<{ states: RootState[]; known: Map<string, Known> } | undefined> => {
    const current = [...wanted];
    const sameRoots =
      states !== undefined &&
      sameItems(
        states.map((state) => state.root),
        current,
      );
    const foldersChanged = !sameRoots || !(await inParallel(states ?? [], 4, isRootUnchanged)).every(Boolean);
    const scanned = foldersChanged
      ? await inParallel(current, 4, async (root) => ({
          root,
          scan: await scanRoot(root.path, root.boundary, scanLimits),
        }))
      : [...(states ?? [])];
    const found = scanned.flatMap(({ scan }) => scan.found);
    const read = await inParallel(found, AT_ONCE, readOne);
    const isChanged = foldersChanged || read.some((each, index) => known.get(found[index]?.file ?? '') !== each);
    if (!isChanged) return undefined;
    if (!foldersChanged && read.some((each) => each.read.stamps.length === 0)) {
      states = undefined;
      return look();
    }
    return { states: scanned, known: new Map(read.map((each) => [each.found.file, each])) };
  };

  const settle = (): void => {
    const all = (states ?? []).flatMap(({ root, scan }) => entriesOf(root, scan, (file) => known.get(file)?.read));
    const { entries: judged, standing } = stand(all.sort(byPriority));
    entries = judged;
    skills = standing.map(({ skill }) => skill);
    sources = new Map(standing.map(({ skill, source }) => [skill, source]));
    byName = namesOf(skills);
  };
  const run = async (): Promise<void> => {
    const changed = await look();
    if (changed === undefined) return;
    ({ states, known } = changed);
    settle();
  };
  let running: Promise<void> = Promise.resolve();
  let queued: Promise<void> | undefined;

  const catalog: SkillCatalog = {
    refresh() {
      // One that is under way may have looked before the change that this one is to see.
      queued ??= running.then(() => {
        queued = undefined;
        running = run();
        return running;
      });
      running.catch(() => {});
      return queued;
    },
    entries: () => entries,
    skills: () => skills,
    get: (name) => byName.get(name) ?? byName.get(plainName(name)),
    sourceOf(name) {
      const skill = catalog.get(name);
      return skill && sources.get(skill);
    },
    add(root) {
      wanted = [...wanted.filter((other) => other.path !== root.path), root];
    },
    trust(source) {
      wanted = wanted.map((root) => (root.source === source ? { ...root, isTrusted: true } : root));
    },
    view: (options = {}) => createSkillView(catalog, options),
  };
  return catalog;
}

async function isUnchanged({ path, size, mtimeMs, ino }: Stamp): Promise<boolean> {
  const now = await stat(path).catch(() => undefined);
  return now !== undefined && now.size === size && now.mtimeMs === mtimeMs && now.ino === ino;
}

/** A root that is not there is unchanged as long as it is not. */
async function isRootUnchanged({ root, scan }: RootState): Promise<boolean> {
  if (scan.folders.length === 0) return (await stat(root.path).catch(() => undefined)) === undefined;
  const same = await inParallel(scan.folders, AT_ONCE, async ({ path, mtimeMs }) => {
    return (await stat(path).catch(() => undefined))?.mtimeMs === mtimeMs;
  });
  return same.every(Boolean);
}

const isEqual = (a: ReadSkill, b: ReadSkill) => JSON.stringify(a) === JSON.stringify(b);

const sameItems = (a: readonly unknown[], b: readonly unknown[]) =>
  a.length === b.length && a.every((item, index) => item === b[index]);
