import type { Root, Sandbox } from '../core/index.ts';
import { isWithin } from './within.ts';

export interface FoundRoot {
  readonly root: Root;
  readonly real: string;
}

/**
 * Finds the root that a real path lies under: the innermost, when roots are nested. A root's real path is
 * fixed when it is first seen, so that a root folder which is later replaced by a link opens nothing new.
 */
export function createRootFinder(
  roots: readonly Root[],
  realPath: Sandbox['realPath'],
): (real: string) => Promise<FoundRoot | undefined> {
  const known = new Map<Root, string>();
  const realOf = async (root: Root): Promise<string> => {
    const before = known.get(root);
    if (before !== undefined) return before;
    const { real, exists } = await realPath(root.path);
    if (exists) known.set(root, real);
    return real;
  };
  return async (path) => {
    let nearest: FoundRoot | undefined;
    for (const root of roots) {
      const real = await realOf(root);
      if (isWithin(real, path) && (!nearest || real.length > nearest.real.length)) nearest = { root, real };
    }
    return nearest;
  };
}
