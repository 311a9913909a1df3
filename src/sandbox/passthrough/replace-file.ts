import { type BigIntStats, constants, lstatSync, renameSync } from 'node:fs';
import { access, type FileHandle, link, lstat, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileStamp, type FileStat, type NewId, sameStamp } from '../../core/index.ts';
import { errnoOf, fileError, requireFile, stale } from '../file-error.ts';
import { toFileStat } from '../file-stat.ts';
import type { OpenPath } from './open-path.ts';

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Writes a file of a held folder whole or not at all: a new file beside it, flushed, then renamed over it.
 * Mode and, where the system lets us, owner are kept; another name of the same file (a hard link) keeps
 * the old content. The check of `expect` and the rename are one step for this process, and a few
 * microseconds apart for others; a file that must not exist is made by `link`, which cannot replace one.
 */
export async function replaceFile(
  folder: OpenPath,
  name: string,
  bytes: Uint8Array,
  { expect, mode }: { expect?: FileStamp | null; mode?: number },
  newId: NewId,
): Promise<FileStat> {
  const target = join(folder.at, name);
  const shown = join(folder.real, name);
  const before = await statOf(target);
  checkTarget(shown, before, expect);
  if (before) await access(target, constants.W_OK);
  const temp = join(
    folder.at,
    `.tw-${newId()
      .replace(/[^\w-]/g, '')
      .slice(0, 64)}.tmp`,
  );
  const handle = await open(temp, NEW_FILE, before ? 0o600 : 0o666);
  let inPlace = false;
  try {
    await requirePlace(temp, handle, shown);
    await handle.writeFile(bytes);
    if (before) await keepOwnerAndMode(handle, before);
    else if (mode !== undefined) await handle.chmod(mode & 0o777);
    await handle.datasync();
    await folder.recheck();
    inPlace = expect === null && (await linkInto(temp, target, shown));
    if (!inPlace) {
      checkTarget(shown, lstatSync(target, { bigint: true, throwIfNoEntry: false }), expect);
      renameSync(temp, target);
    } else {
      await unlink(temp);
    }
    inPlace = true;
    return toFileStat(await handle.stat({ bigint: true }));
  } finally {
    await handle.close();
    if (!inPlace) await unlink(temp).catch(() => {});
  }
}

/** The file that was opened is the one at its path: nothing is written into a folder that was swapped in. */
async function requirePlace(temp: string, handle: FileHandle, shown: string): Promise<void> {
  const [there, opened] = [await statOf(temp), await handle.stat({ bigint: true })];
  if (there?.dev === opened.dev && there.ino === opened.ino) return;
  throw fileError('swapped', `The folder of ${shown} was replaced while it was opened; refused.`);
}

async function statOf(path: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function checkTarget(shown: string, now: BigIntStats | undefined, expect: FileStamp | null | undefined): void {
  const stat = now && toFileStat(now);
  if (stat) requireFile(shown, stat);
  if (expect === undefined) return;
  const same = expect === null ? stat === undefined : stat !== undefined && sameStamp(stat, expect);
  if (!same) throw stale(shown);
}

/** False where the file system knows no links. */
async function linkInto(temp: string, target: string, shown: string): Promise<boolean> {
  try {
    await link(temp, target);
    return true;
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EEXIST') throw stale(shown);
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS' || code === 'EMLINK') return false;
    throw error;
  }
}

/** The owner first: a change of owner takes set-id bits away. */
async function keepOwnerAndMode(handle: FileHandle, before: BigIntStats): Promise<void> {
  const now = await handle.stat({ bigint: true });
  if (now.uid !== before.uid || now.gid !== before.gid) {
    await handle.chown(Number(before.uid), Number(before.gid)).catch(() => {});
  }
  await handle.chmod(Number(before.mode) & 0o7777);
}
