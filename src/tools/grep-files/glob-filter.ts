import { createGlobMatcher } from '../search/glob-matcher.ts';
import type { GrepInput } from './grep-input.ts';
import type { SearchTarget } from './search-target.ts';

const HIDDEN = /(?:^|\/)\.(?!\/)/;

/**
 * Which of the paths that ripgrep prints are wanted; see `searchArgs` for what it leaves out before. A glob is meant
 * from the searched folder, and taken as from the working folder too. ripgrep's types let hidden files in, which are
 * left out here.
 */
export function globFilter(
  { glob, type, hidden = false }: GrepInput,
  target: SearchTarget,
): (printed: string) => boolean {
  const seesAll = hidden || type === undefined || target.argument !== '.';
  const isSeen = (printed: string) => seesAll || !HIDDEN.test(target.relative(printed));
  if (glob === undefined) return isSeen;
  const isOut = glob.startsWith('!');
  const wanted = isOut ? glob.slice(1) : glob;
  const anywhere = wanted.includes('/') ? wanted : `**/${wanted}`;
  const dot = hidden || isOut || HIDDEN.test(wanted);
  const matchers = (isOut ? [anywhere, `${anywhere}/**`] : [anywhere]).map((text) => createGlobMatcher(text, { dot }));
  const fits = (path: string) => matchers.some((matches) => matches(path));
  return (printed) =>
    (fits(target.relative(printed)) || fits(target.display(printed))) !== isOut && (!isOut || isSeen(printed));
}
