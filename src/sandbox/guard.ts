import type { Access, Root, Sandbox } from '../core/index.ts';
import { fileError } from './file-error.ts';
import { createRootFinder } from './root-finder.ts';

/** Throws unless the real path lies under a root that grants the access. */
export type Guard = (real: string, access: Access) => Promise<void>;

export function createGuard(roots: readonly Root[], realPath: Sandbox['realPath']): Guard {
  const find = createRootFinder(roots, realPath);
  return async (real, access) => {
    const found = await find(real);
    if (!found) throw fileError('outside', `${real} is outside of the folders that this session may touch.`);
    if (access === 'write' && found.root.access === 'read') {
      throw fileError('read_only', `${real} is under ${found.root.path}, which is read-only.`);
    }
  };
}
