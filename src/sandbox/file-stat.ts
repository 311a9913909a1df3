import type { BigIntStats } from 'node:fs';
import type { DirectoryEntry, FileKind, FileStat } from '../core/index.ts';

/** What `BigIntStats` and `Dirent` both can tell. */
interface KindReader {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export function kindOf(entry: KindReader): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}

function specialOf(stats: BigIntStats): string {
  if (stats.isFIFO()) return 'fifo';
  if (stats.isSocket()) return 'socket';
  if (stats.isCharacterDevice()) return 'character device';
  return stats.isBlockDevice() ? 'block device' : 'special file';
}

/** The host's facts of a file, in the words of the house. */
export function toFileStat(stats: BigIntStats): FileStat {
  const kind = kindOf(stats);
  const stat = {
    kind,
    size: Number(stats.size),
    mtimeNs: stats.mtimeNs,
    ctimeNs: stats.ctimeNs,
    mode: Number(stats.mode) & 0o7777,
  };
  return kind === 'other' ? { ...stat, special: specialOf(stats) } : stat;
}

/** By code units, so that the order is the same on every machine. */
export function sortEntries(entries: DirectoryEntry[]): DirectoryEntry[] {
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
