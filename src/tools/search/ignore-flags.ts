import { dirname, join } from 'node:path';
import type { ToolContext } from '../../core/index.ts';

/**
 * Flags that decide which files a search in a folder sees; the same for every search. Ignore files count without
 * a repository too. Inside of one they are read up to its top only, as git does: a `.gitignore` in the home
 * folder says nothing about the projects below.
 */
export async function ignoreFlags(folder: string, ctx: ToolContext): Promise<string[]> {
  const flags = ['--no-ignore-global', '--glob=!.git'];
  return (await isInRepository(folder, ctx)) ? flags : ['--no-require-git', ...flags];
}

/** Looks as far up as the roots go. */
async function isInRepository(folder: string, { sandbox }: ToolContext): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    try {
      if (await sandbox.stat(join(at, '.git'))) return true;
    } catch {
      return false;
    }
    if (at === dirname(at)) return false;
  }
}
