import { sep } from 'node:path';
import { type Root, type Roots, type Sandbox, ToolwrightError } from '../core/index.ts';

export interface Place {
  readonly sandbox: Sandbox;
  readonly roots: Roots;
}

/**
 * The same place as tools see it: a folder that the house itself writes is read-only to them, in the judge of
 * paths and in the sandbox's own methods. The folder is a root, or lies in one.
 */
export function lockFolder({ sandbox, roots }: Place, folder: string): Place {
  const locked: Root = { path: folder, access: 'read', label: 'skill' };
  const isLocked = async (real: string): Promise<boolean> => {
    const base = (await sandbox.realPath(folder)).real;
    return real === base || real.startsWith(base + sep);
  };
  const refuse = (path: string): never => {
    throw new ToolwrightError('denied', `${path} is under ${folder}, which is read-only.`, {
      hint: 'Copy the file into the working folder and change the copy.',
      data: { reason: 'read_only' },
    });
  };
  const requireFree = async (path: string): Promise<void> => {
    if (await isLocked((await sandbox.realPath(path)).real)) refuse(path);
  };
  return {
    roots: {
      ...roots,
      list: [...roots.list.filter((root) => root.path !== folder), locked],
      async resolve(path, access) {
        const resolved = await roots.resolve(path, access);
        if (!(await isLocked(resolved.real))) return resolved;
        return access === 'write' ? refuse(path) : { ...resolved, root: locked };
      },
    },
    sandbox: {
      ...sandbox,
      async write(path, bytes, options) {
        await requireFree(path);
        return sandbox.write(path, bytes, options);
      },
      async remove(path) {
        await requireFree(path);
        return sandbox.remove(path);
      },
    },
  };
}
