import { resolve } from 'node:path';
import { type Root, type Roots, type Sandbox, ToolwrightError } from '../core/index.ts';
import { displayPath } from './display-path.ts';
import { fileError } from './file-error.ts';
import { parsePathArgument } from './path-argument.ts';
import { createRootFinder } from './root-finder.ts';

export interface RootsOptions {
  /** Where relative paths start; absolute. */
  readonly cwd: string;
  readonly roots: readonly Root[];
  /** The sandbox's: where a path really leads. */
  readonly realPath: Sandbox['realPath'];
}

/** The judge of a session's paths: real path against real roots, segment by segment. */
export function createRoots({ cwd, roots, realPath }: RootsOptions): Roots {
  const find = createRootFinder(roots, realPath);
  let realCwd: string | undefined;
  return {
    cwd,
    list: roots,
    async resolve(written, access) {
      const path = resolve(cwd, parsePathArgument(written));
      const { real, exists } = await realPath(path);
      const found = await find(real);
      if (!found) throw outside(written, path, real, roots);
      if (access === 'write' && found.root.access === 'read') throw readOnly(written, found.root, roots);
      if (!exists && !(await realPath(found.root.path)).exists) throw goneRoot(found.root);
      realCwd ??= (await realPath(cwd)).real;
      return { written, path, real, root: found.root, exists };
    },
    display: (path) => displayPath([cwd, realCwd], path),
  };
}

function outside(written: string, path: string, real: string, roots: readonly Root[]): ToolwrightError {
  const leads = real === written ? '' : real === path ? ` (that is ${real})` : ` (it leads to ${real})`;
  return fileError('outside', `${written}${leads} is outside of the folders that this session may touch.`, {
    hint: `Allowed: ${listOf(roots)}. The person can open another folder with --add-dir DIR.`,
  });
}

function readOnly(written: string, root: Root, roots: readonly Root[]): ToolwrightError {
  return fileError('read_only', `${written} is under ${root.path}, which is read-only.`, {
    hint: `Folders that may be written: ${listOf(roots.filter((other) => other.access === 'write'))}.`,
  });
}

function goneRoot(root: Root): ToolwrightError {
  return new ToolwrightError('failed', `The folder ${root.path} does not exist.`, {
    hint: 'It was moved, deleted or never made: make it again, or start in a folder that exists.',
  });
}

const listOf = (roots: readonly Root[]) => roots.map((root) => root.path).join(', ') || 'none';
