import { basename, dirname } from 'node:path';
import { type Sandbox, type ToolContext, ToolwrightError } from '../../core/index.ts';
import { describeMissing } from '../files/describe-missing.ts';

/** Where a search runs and what it is given. */
export interface SearchTarget {
  /** Default: the session's sandbox. */
  readonly place?: Pick<Sandbox, 'start' | 'capabilities'>;
  readonly cwd: string;
  /** The program's own argument: `.`, or the name of one file, never an option. */
  readonly argument: string;
  /** A path that the program printed, for the model. */
  display(printed: string): string;
  /** The same, relative to the folder that globs are held against. */
  relative(printed: string): string;
}

const trim = (printed: string) => printed.replace(/^\.\//, '');

/** The folder, file or stored output that a path names. */
export async function findTarget(path: string, ctx: ToolContext): Promise<SearchTarget> {
  if (ctx.outputs.owns(path)) return storedOutput(path, ctx);
  const target = await ctx.roots.resolve(path, 'read');
  const stat = await ctx.sandbox.stat(target.real);
  if (!stat) throw await describeMissing(target, ctx);
  if (stat.kind === 'other') {
    throw new ToolwrightError(
      'invalid_input',
      `path: ${path} is a ${stat.special ?? 'special file'}; it cannot be searched.`,
      {
        hint: 'Search a folder or a file.',
      },
    );
  }
  if (stat.kind === 'file') {
    return {
      cwd: dirname(target.real),
      argument: `./${basename(target.real)}`,
      display: () => ctx.roots.display(target.path),
      relative: () => basename(target.path),
    };
  }
  const folder = target.path === '/' ? '' : target.path;
  return {
    cwd: target.real,
    argument: '.',
    display: (printed) => ctx.roots.display(`${folder}/${trim(printed)}`),
    relative: trim,
  };
}

async function storedOutput(path: string, ctx: ToolContext): Promise<SearchTarget> {
  const file = await ctx.outputs.hostPath(path);
  if (file === undefined) {
    throw new ToolwrightError('not_found', `There is no stored output ${path}.`, {
      hint: 'Use the path as the result that was stored gives it.',
    });
  }
  const told = { display: () => path, relative: () => path };
  const { searcher: place } = ctx.outputs;
  if (place === undefined) return { cwd: ctx.roots.cwd, argument: file, ...told };
  return { place, cwd: dirname(file), argument: `./${basename(file)}`, ...told };
}
