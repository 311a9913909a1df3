import { basename, dirname } from 'node:path';
import { type FileStamp, type FileStat, type Root, type Sandbox, sameStamp, ToolwrightError } from '../core/index.ts';
import { createGuard, fileError, isWithin, missing, requireFile, sortEntries, stale } from '../sandbox/index.ts';

export interface MemorySandboxOptions {
  /** Default: one writable root `/work`. */
  readonly roots?: readonly Root[];
  /** Absolute path -> content. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

interface Entry {
  readonly stat: FileStat;
  readonly bytes: Uint8Array;
}

const NOTHING = new Uint8Array();
const DEFAULT_ROOTS: readonly Root[] = [{ path: '/work', access: 'write', label: 'workspace' }];

/** Files in memory, for tests of tools: folders and regular files, no links and no processes. Every change has a new time. */
export function createMemorySandbox({ roots = DEFAULT_ROOTS, files = {} }: MemorySandboxOptions = {}): Sandbox {
  const entries = new Map<string, Entry>();
  let time = 1_700_000_000_000_000_000n;

  const stamp = (kind: 'file' | 'directory', size: number, mode: number): FileStat => {
    time += 1n;
    return { kind, size, mtimeNs: time, ctimeNs: time, mode };
  };
  const makeFolder = (path: string): void => {
    const there = entries.get(path);
    if (there?.stat.kind === 'directory') return;
    if (there) throw fileError('not_a_folder', `${path} is a file, not a folder.`);
    if (dirname(path) !== path) makeFolder(dirname(path));
    entries.set(path, { stat: stamp('directory', 0, 0o755), bytes: NOTHING });
  };
  const put = (path: string, bytes: Uint8Array, mode = 0o644): FileStat => {
    makeFolder(dirname(path));
    const stat = stamp('file', bytes.byteLength, entries.get(path)?.stat.mode ?? mode);
    entries.set(path, { stat, bytes: Uint8Array.from(bytes) });
    return stat;
  };
  /** What stands at a path; a file where a folder is needed on the way is told apart from nothing. */
  const find = (path: string): Entry | undefined => {
    const found = entries.get(path);
    if (found || dirname(path) === path) return found;
    if (find(dirname(path))?.stat.kind === 'file') {
      throw fileError('not_a_folder', `A part of ${path} is a file, not a folder.`);
    }
    return undefined;
  };
  const realPath: Sandbox['realPath'] = async (path) => ({ real: path, exists: entries.has(path) });
  const guard = createGuard(roots, realPath);

  for (const root of roots) makeFolder(root.path);
  for (const [path, content] of Object.entries(files)) put(path, Buffer.from(content));

  return {
    id: 'memory',
    kind: 'memory',
    capabilities: { isolation: 'memory', rangeReads: false, processes: false },
    realPath,
    async read(path, { offset = 0, length = Number.POSITIVE_INFINITY } = {}) {
      await guard(path, 'read');
      const entry = find(path);
      if (!entry) throw missing(path);
      requireFile(path, entry.stat);
      return entry.bytes.slice(offset, offset + length);
    },
    async write(path, bytes, { expect, mode }: { expect?: FileStamp | null; mode?: number } = {}) {
      await guard(path, 'write');
      const entry = find(path);
      if (entry) requireFile(path, entry.stat);
      if (expect === null && entry) throw stale(path);
      if (expect && (!entry || !sameStamp(entry.stat, expect))) throw stale(path);
      return put(path, bytes, mode);
    },
    async stat(path) {
      await guard(path, 'read');
      return entries.get(path)?.stat;
    },
    async list(path) {
      await guard(path, 'read');
      const entry = find(path);
      if (!entry) throw missing(path);
      if (entry.stat.kind !== 'directory') throw fileError('not_a_folder', `${path} is a file, not a folder.`);
      const inside = [...entries].filter(([at]) => at !== path && dirname(at) === path);
      return sortEntries(inside.map(([at, { stat }]) => ({ name: basename(at), kind: stat.kind })));
    },
    async remove(path) {
      await guard(path, 'write');
      if ([...entries.keys()].some((at) => at !== path && isWithin(path, at))) {
        throw fileError('not_empty', `${path} is a folder that is not empty.`);
      }
      entries.delete(path);
    },
    async start() {
      throw new ToolwrightError('unavailable', 'The memory sandbox runs no commands.');
    },
    async dispose() {},
  };
}
