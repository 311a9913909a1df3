/** Where patterns start from. */
export interface PathBase {
  /** The folder that `/x`, `./x` and bare patterns with a slash start from. */
  readonly cwd: string;
  readonly home?: string;
}

/**
 * Whether an absolute path fits a pattern in gitignore style: `*` and `?` stay inside a segment, `**` spans
 * them, a pattern without a slash fits a name at any depth, a folder stands for all that is in it.
 * `//x` is absolute, `~/x` below the home, `/x` and `./x` below the working folder.
 */
export function matchPath(pattern: string, path: string, base: PathBase): boolean {
  const absolute = anchored(pattern, base);
  const segments = path.split('/').filter((segment) => segment !== '');
  if (absolute === undefined) {
    const wanted = pattern.replace(/\/$/, '');
    const below = relativeTo(base.cwd, segments);
    return below !== undefined && below.some((segment) => matchSegment(wanted, segment));
  }
  return matchSegments(
    absolute.split('/').filter((segment) => segment !== ''),
    segments,
  );
}

/** The pattern as an absolute one; undefined when it is a bare name. */
function anchored(pattern: string, { cwd, home }: PathBase): string | undefined {
  if (pattern.startsWith('//')) return pattern.slice(1);
  if (pattern === '~' || pattern.startsWith('~/')) return `${home ?? '/nowhere'}${pattern.slice(1)}`;
  const trimmed = pattern.replace(/^\.?\//, '');
  if (trimmed === pattern && !pattern.replace(/\/$/, '').includes('/') && pattern !== '**') return undefined;
  return `${escapeSegments(cwd)}/${trimmed}`;
}

/** The folder's own name is literal, whatever signs are in it. */
const escapeSegments = (path: string) => path.replace(/[\\*?]/g, (sign) => `\\${sign}`);

function relativeTo(folder: string, segments: readonly string[]): readonly string[] | undefined {
  const above = folder.split('/').filter((segment) => segment !== '');
  return above.every((segment, index) => segments[index] === segment) ? segments.slice(above.length) : undefined;
}

/** A pattern fits when it ends at the path or at a folder above it. Greedy with one point of return, so linear in the pattern for each segment. */
function matchSegments(pattern: readonly string[], path: readonly string[]): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let resume = 0;
  while (at < path.length) {
    if (from === pattern.length) {
      if (star < 0 || from > star + 1) return true;
    }
    const wanted = pattern[from];
    if (wanted === '**') {
      star = from++;
      resume = at;
      if (from === pattern.length) return true;
    } else if (wanted !== undefined && matchSegment(wanted, path[at] as string)) {
      from++;
      at++;
    } else if (star >= 0) {
      from = star + 1;
      at = ++resume;
    } else return false;
  }
  return pattern.slice(from).every((segment) => segment === '**');
}

/** `*` any run, `?` any one sign, `\` makes the next one literal. */
export function matchSegment(pattern: string, text: string): boolean {
  let from = 0;
  let at = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    const sign = pattern[from];
    if (sign === '*') {
      star = from++;
      resume = at;
    } else if (sign === '\\' && pattern[from + 1] === text[at]) {
      from += 2;
      at++;
    } else if (sign !== undefined && sign !== '\\' && (sign === '?' || sign === text[at])) {
      from++;
      at++;
    } else if (star >= 0) {
      from = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[from] === '*') from++;
  return from === pattern.length;
}
