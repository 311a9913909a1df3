import { expandBraces } from '../search/expand-braces.ts';
import type { GrepInput } from './grep-input.ts';

/** The program's arguments; `sees` are the flags that decide which files it sees. Whatever the model wrote stands behind its option. */
export function searchArgs(
  input: GrepInput,
  target: string,
  engine: 'default' | 'pcre2',
  sees: readonly string[],
): string[] {
  const mode = input.output_mode ?? 'content';
  const { before, after } = linesAround(input);
  return [
    ...(mode === 'content' ? ['--json'] : [mode === 'files' ? '--files-with-matches' : '--count', '--null']),
    '--sort=path',
    '--binary',
    ...sees,
    `--engine=${engine}`,
    ...(mode === 'content' && before > 0 ? [`--before-context=${before}`] : []),
    ...(mode === 'content' && after > 0 ? [`--after-context=${after}`] : []),
    ...(mode === 'count' ? ['--with-filename'] : []),
    ...(input.literal ? ['--fixed-strings'] : []),
    ...(input.case_insensitive ? ['--ignore-case'] : []),
    ...(input.multiline ? ['--multiline', '--multiline-dotall'] : ['--crlf']),
    ...fileFilter(input),
    `--regexp=${input.pattern}`,
    '--',
    target,
  ];
}

/** How many lines are shown around a match. */
export const linesAround = ({ before, after, context = 0 }: GrepInput) => ({
  before: before ?? context,
  after: after ?? context,
});

const MOST_NAMES = 32;
/** No run of two stars, no class, no escape, nothing else that has a meaning of its own. */
const PLAIN_NAME = /^(?!.*\*\*)[\p{L}\p{N}_.*?+@~ -]+$/u;

/**
 * What the program itself can leave out. A glob that lets files in would let ignored ones in too, so such a
 * glob becomes a type of its own, by its last segment; the whole of it is checked on each path that comes.
 * Only plain globs do, which mean the same to both.
 */
function fileFilter({ glob, type }: GrepInput): string[] {
  if (type !== undefined) return [`--type=${type}`];
  if (glob === undefined) return [];
  if (glob.startsWith('!')) return PLAIN_NAME.test(glob.slice(1)) ? [`--glob=${glob}`] : [];
  const names = expandBraces(glob).map((path) => path.split('/').at(-1) ?? '');
  if (names.length > MOST_NAMES || !names.every((name) => PLAIN_NAME.test(name))) return [];
  return [...names.map((name) => `--type-add=wanted:${name}`), '--type=wanted'];
}
