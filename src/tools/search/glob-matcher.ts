import { expandBraces } from './expand-braces.ts';
import { createSegmentMatcher, type SegmentMatcher } from './match-segment.ts';

export type GlobMatcher = (path: string) => boolean;

export interface GlobOptions {
  /** Wildcards fit names that begin with a dot. Default false. */
  readonly dot?: boolean;
}

type Step = SegmentMatcher | '**';

/**
 * Matches paths relative to the folder that a search starts in. `*` stays inside a name, `**` spans folders,
 * `{a,b}` are alternatives; see `createSegmentMatcher` for the rest. A pattern that is a path letter for letter
 * fits that path whatever signs are in it. A slash at the end means all that is in the folder.
 */
export function createGlobMatcher(pattern: string, { dot = false }: GlobOptions = {}): GlobMatcher {
  const written = pattern
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '/**');
  const alternatives = [...new Set([written, ...expandBraces(written)])].map((text) => readSteps(text, dot));
  return (path) => {
    if (path === written) return true;
    const names = path.split('/');
    return alternatives.some((steps) => fits(steps, names, dot));
  };
}

function readSteps(pattern: string, dot: boolean): Step[] {
  const steps: Step[] = [];
  for (const segment of pattern.split('/')) {
    if (segment !== '**') steps.push(createSegmentMatcher(segment, dot));
    else if (steps.at(-1) !== '**') steps.push('**');
  }
  return steps;
}

/** One point of return is enough: what a later `**` can reach an earlier one need not try again. */
function fits(steps: readonly Step[], names: readonly string[], dot: boolean): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let resume = 0;
  while (at < names.length) {
    const step = steps[from];
    if (step === '**') {
      star = from++;
      resume = at;
    } else if (step?.(names[at] as string)) {
      from++;
      at++;
    } else if (star >= 0 && (dot || !(names[resume] as string).startsWith('.'))) {
      from = star + 1;
      at = ++resume;
    } else return false;
  }
  return from === steps.length;
}
