import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errnoOf, fileError, fromErrno } from '../file-error.ts';

/**
 * Real path of the nearest existing ancestor with the rest appended. A link that leads nowhere is refused:
 * writing through it would make a file in a place that nobody judged.
 */
export async function hostRealPath(path: string): Promise<{ real: string; exists: boolean }> {
  const rest: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      const real = await realpath(at);
      return { real: rest.length === 0 ? real : join(real, ...rest), exists: rest.length === 0 };
    } catch (error) {
      const code = errnoOf(error);
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw fromErrno(path, error);
      if (code === 'ENOENT' && (await isLink(at))) {
        throw fileError('dangling', `${at} is a link whose target does not exist; paths through it are refused.`, {
          hint: 'Name the target itself, or make it first.',
        });
      }
      if (dirname(at) === at) throw fromErrno(path, error);
      rest.unshift(basename(at));
    }
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}
