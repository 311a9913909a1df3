import type { CallFacts } from '../core/index.ts';
import { createGlob } from './match-glob.ts';

type PathFact = CallFacts['paths'][number];
type Segment = ((text: string) => boolean) | typeof ANY_DEPTH;
const ANY_DEPTH = Symbol('any depth');

interface PathPattern {
  /** `base`: from the folder that the rule speaks of; `root`: from the root of the file system. */
  readonly anchor: 'base' | 'root';
  readonly segments: readonly Segment[];
}

export interface PathTestOptions {
  /** The rule permits. */
  readonly allows: boolean;
  /** The folder that relative patterns start from. Default: the root that the path lies in. */
  readonly cwd?: string | undefined;
  readonly home?: string | undefined;
  /** The folder of the settings that the rule stands in. Default: `cwd`. */
  readonly base?: string | undefined;
}

/**
 * Makes a test of a path specifier, written as in .gitignore: a name alone matches at any depth, a path with
 * a slash from the working folder; `/` begins a path in the folder
 * of the settings, `//` an absolute path and `~/` one in the home folder; a match of a
 * folder covers what is in it. A rule that permits matches only when the path as written and the real path
 * both do. One that forbids matches when either does, and at any depth outside of the working folder, since
 * the same place may have other names.
 */
export function createPathTest(specifier: string, options: PathTestOptions): (fact: PathFact) => boolean {
  const { allows, cwd, home } = options;
  const pattern = parsePattern(specifier, home, options.base === cwd ? undefined : options.base);
  if (pattern === undefined && allows) return () => false;
  const { anchor, segments } = pattern ?? { anchor: 'base', segments: segmentsOf(specifier.slice(2)) };
  const floating = [ANY_DEPTH, ...segments] as const;

  const fits = (path: string, base: string | undefined): boolean => {
    if (anchor === 'root') return covers(segments, split(path));
    if (base !== undefined) return covers(segments, split(path.slice(base.length)));
    return !allows && covers(floating, split(path));
  };
  return ({ path, real, root }) => {
    const base = pattern === undefined ? undefined : (cwd ?? root.path);
    const isInside = base !== undefined && isWithin(base, path);
    const written = fits(path, isInside ? base : undefined);
    const really = fits(real, base === undefined ? undefined : realBaseOf(base, path, real));
    return allows ? written && really : written || really;
  };
}

/** Undefined for a path in a home folder that is not known. */
function parsePattern(
  specifier: string,
  home: string | undefined,
  folder: string | undefined,
): PathPattern | undefined {
  if (specifier.startsWith('//')) return { anchor: 'root', segments: segmentsOf(specifier) };
  if (specifier.startsWith('~/')) {
    if (home === undefined) return undefined;
    return { anchor: 'root', segments: [...exactly(home), ...segmentsOf(specifier.slice(2))] };
  }
  if (specifier.startsWith('/') && folder !== undefined) {
    return { anchor: 'root', segments: [...exactly(folder), ...segmentsOf(specifier)] };
  }
  const isAnchored = specifier.replace(/\/+$/, '').includes('/');
  const segments = segmentsOf(specifier.replace(/^\.\//, ''));
  return { anchor: 'base', segments: isAnchored ? segments : [ANY_DEPTH, ...segments] };
}

/** A `**` at the end says no more than that the folder's content is covered, which it is anyway. */
function segmentsOf(pattern: string): Segment[] {
  const parts = split(pattern);
  while (parts.at(-1) === '**') parts.pop();
  return parts.map((part) => (part === '**' ? ANY_DEPTH : createGlob(part, { single: true })));
}

const exactly = (folder: string) => split(folder).map((name) => (text: string) => text === name);
const split = (path: string) => path.split('/').filter((part) => part !== '');

/** Whether the pattern matches the path or a folder above it. */
function covers(pattern: readonly Segment[], path: readonly string[]): boolean {
  let step = 0;
  let at = 0;
  let star = -1;
  let mark = 0;
  for (let want = pattern[step]; want !== undefined; want = pattern[step]) {
    const part = path[at];
    if (want === ANY_DEPTH) {
      star = step++;
      mark = at;
    } else if (part !== undefined && want(part)) {
      step++;
      at++;
    } else if (star >= 0 && mark < path.length) {
      step = star + 1;
      at = ++mark;
    } else return false;
  }
  return true;
}

const isWithin = (folder: string, path: string) =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** A folder that is reached by a link has another real path: what stands before the part that both share. */
function realBaseOf(base: string, path: string, real: string): string | undefined {
  if (isWithin(base, real)) return base;
  if (!isWithin(base, path)) return undefined;
  const rest = path.slice(base.length);
  return real.endsWith(rest) ? real.slice(0, real.length - rest.length) : undefined;
}
