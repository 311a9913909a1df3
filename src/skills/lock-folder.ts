import { sep } from 'node:path';
import { type Root, type Roots, type Sandbox, ToolwrightError } from '../core/index.ts';

export interface Place {
  readonly sandbox: Sandbox;
  readonly roots: Roots;
}

/**
 * The same place as tools see it: a folder that the house itself writes is read-only to them, in the judge of
 * paths and in the sandbox's own methods.
 */
export function lockFolder({ sandbox, roots }: Place, folder: string): Place {
  const lock = (root: Root): Root => (root.path === folder ? { ...root, access: 'read' } : root);
  const refuse = (path: string): never => {
    throw new ToolwrightError('denied', `${path} is under ${folder}, which is read-only.`, {
      hint: 'Copy the file into the working folder and change the copy.',
      data: { reason: 'read_only' },
    });
  };
  const requireFree = async (path: string): Promise<void> => {
    const [{ real }, base] = [await sandbox.realPath(path), await sandbox.realPath(folder)];
    if (real === base.real || real.startsWith(base.real + sep)) refuse(path);
  };
  return {
    roots: {
      ...roots,
      list: roots.list.map(lock),
      async resolve(path, access) {
        const resolved = await roots.resolve(path, access);
        if (access === 'write' && resolved.root.path === folder) refuse(path);
        return { ...resolved, root: lock(resolved.root) };
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
