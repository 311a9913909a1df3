import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileError, missing } from '../file-error.ts';

/** A thing of the file system, held so that no swap of a link or a folder can put another in its place. */
export interface OpenPath {
  readonly real: string;
  readonly stat: BigIntStats;
  /** A path that leads to the held thing and to nothing else. */
  readonly at: string;
  /** Flags for opening `at`. */
  readonly flags: number;
  /** Throws when the held thing is not at its real path any more; nothing to do where `at` cannot be swapped. */
  recheck(opened?: BigIntStats): Promise<void>;
  close(): Promise<void>;
}

/** Takes hold of a path; with `follow` false a link at its end is held itself. Errors are the host's. */
export type Hold = (path: string, follow: boolean) => Promise<OpenPath>;

/** Linux: opens for reference only. Devices and pipes are not touched by it; node has no name for the flag. */
const O_PATH = 0x200000;
const { O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

/** Through the file's own descriptor: what was judged is what is used. */
export const holdByDescriptor: Hold = async (path, follow) => {
  const handle: FileHandle = await open(path, follow ? O_PATH : O_PATH | O_NOFOLLOW);
  try {
    const at = `/proc/self/fd/${handle.fd}`;
    const stat = await handle.stat({ bigint: true });
    const real = await readlink(at);
    if (stat.nlink === 0n && real.endsWith(' (deleted)')) throw missing(path);
    return { real, stat, at, flags: O_NONBLOCK | O_NOCTTY, recheck: async () => {}, close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
};

/** Without /proc: by real path, device and inode, looked at before and after each use. */
export const holdByInode: Hold = async (path, follow) => {
  const find = async () => (follow ? realpath(path) : join(await realpath(dirname(path)), basename(path)));
  const real = await find();
  const stat = await lstat(real, { bigint: true });
  const same = (other: BigIntStats) => other.dev === stat.dev && other.ino === stat.ino;
  return {
    real,
    stat,
    at: real,
    flags: O_NONBLOCK | O_NOCTTY | O_NOFOLLOW,
    async recheck(opened) {
      const now = await find().catch(() => undefined);
      if (now === real && same(await lstat(real, { bigint: true })) && (!opened || same(opened))) return;
      throw fileError('swapped', `${path} was replaced while it was opened; refused.`);
    },
    close: async () => {},
  };
};
