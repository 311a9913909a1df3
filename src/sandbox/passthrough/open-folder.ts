import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errnoOf, fileError } from '../file-error.ts';
import type { Guard } from '../guard.ts';
import type { Hold, OpenPath } from './open-path.ts';

/**
 * Takes hold of a folder for writing into it, making what is missing of it. Each missing folder is made
 * inside the held one above it, so nothing is ever made outside of the roots.
 */
export async function openFolder(path: string, use: { guard: Guard; hold: Hold }): Promise<OpenPath> {
  let folder: OpenPath;
  try {
    folder = await use.hold(path, true);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    folder = await makeFolder(path, use);
  }
  try {
    if (!folder.stat.isDirectory()) throw fileError('not_a_folder', `${path} is a file, not a folder.`);
    await use.guard(folder.real, 'write');
    await folder.recheck();
    return folder;
  } catch (error) {
    await folder.close();
    throw error;
  }
}

async function makeFolder(path: string, use: { guard: Guard; hold: Hold }): Promise<OpenPath> {
  const above = await openFolder(dirname(path), use);
  try {
    const at = join(above.at, basename(path));
    await mkdir(at).catch((error: unknown) => {
      if (errnoOf(error) !== 'EEXIST') throw error;
    });
    return await use.hold(at, false);
  } finally {
    await above.close();
  }
}
