import { constants } from 'node:fs';
import { lstat, open, readdir, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Access, DirectoryEntry, FileStat, NewId, Sandbox } from '../../core/index.ts';
import { errnoOf, fileError, fromErrno, requireFile } from '../file-error.ts';
import { kindOf, sortEntries, toFileStat } from '../file-stat.ts';
import type { Guard } from '../guard.ts';
import { hostRealPath } from './host-real-path.ts';
import { openFolder } from './open-folder.ts';
import type { Hold, OpenPath } from './open-path.ts';
import { readBytes } from './read-bytes.ts';
import { replaceFile } from './replace-file.ts';

export interface HostFilesOptions {
  readonly guard: Guard;
  readonly hold: Hold;
  readonly newId: NewId;
}

export type HostFiles = Pick<Sandbox, 'read' | 'write' | 'stat' | 'list' | 'remove' | 'realPath'>;

/** The file methods of a sandbox on the host's own files; each holds what it uses and judges what it holds. */
export function createHostFiles({ guard, hold, newId }: HostFilesOptions): HostFiles {
  async function held<Value>(
    path: string,
    access: Access,
    follow: boolean,
    use: (thing: OpenPath) => Promise<Value>,
  ): Promise<Value> {
    try {
      const thing = await hold(path, follow);
      try {
        await guard(thing.real, access);
        return await use(thing);
      } finally {
        await thing.close();
      }
    } catch (error) {
      throw fromErrno(path, error);
    }
  }

  return {
    realPath: hostRealPath,

    read: (path, range = {}) =>
      held(path, 'read', true, async (thing) => {
        requireFile(path, toFileStat(thing.stat));
        const handle = await open(thing.at, constants.O_RDONLY | thing.flags);
        try {
          await thing.recheck(await handle.stat({ bigint: true }));
          return await readBytes(handle, Number(thing.stat.size), range);
        } finally {
          await handle.close();
        }
      }),

    async stat(path) {
      try {
        return await held(path, 'read', false, async (thing) => toFileStat(thing.stat));
      } catch (error) {
        if (isGone(error)) return undefined;
        throw error;
      }
    },

    list: (path) =>
      held(path, 'read', true, async (thing) => {
        if (!thing.stat.isDirectory()) throw fileError('not_a_folder', `${path} is a file, not a folder.`);
        const entries = await readdir(thing.at, { withFileTypes: true });
        await thing.recheck();
        return sortEntries(entries.map((entry): DirectoryEntry => ({ name: entry.name, kind: kindOf(entry) })));
      }),

    async write(path, bytes, options = {}): Promise<FileStat> {
      try {
        const { real } = await hostRealPath(path);
        const folder = await openFolder(dirname(real), { guard, hold });
        try {
          return await replaceFile(folder, basename(real), bytes, options, newId);
        } finally {
          await folder.close();
        }
      } catch (error) {
        throw fromErrno(path, error);
      }
    },

    remove: (path) =>
      held(dirname(path), 'read', true, async (folder) => {
        await guard(join(folder.real, basename(path)), 'write');
        await folder.recheck();
        const at = join(folder.at, basename(path));
        try {
          if ((await lstat(at)).isDirectory()) await rmdir(at);
          else await unlink(at);
        } catch (error) {
          if (errnoOf(error) !== 'ENOENT') throw fromErrno(path, error);
        }
      }),
  };
}

const isGone = (error: unknown) => {
  const reason = (error as { data?: { reason?: unknown } }).data?.reason;
  return reason === 'missing' || reason === 'not_a_folder';
};
