import type { GrepInput } from './grep-input.ts';

/** The program's arguments but for the pattern's engine and the place. Whatever the model wrote stands behind its option. */
export function searchArgs(input: GrepInput, target: string, engine: 'default' | 'pcre2'): string[] {
  const mode = input.output_mode ?? 'content';
  const before = input.before ?? input.context ?? 0;
  const after = input.after ?? input.context ?? 0;
  return [
    ...(mode === 'content' ? ['--json'] : [mode === 'files' ? '--files-with-matches' : '--count', '--null']),
    '--sort=path',
    '--binary',
    '--no-require-git',
    '--no-ignore-global',
    '--glob=!.git',
    `--engine=${engine}`,
    ...(mode === 'content' && before > 0 ? [`--before-context=${before}`] : []),
    ...(mode === 'content' && after > 0 ? [`--after-context=${after}`] : []),
    ...(mode === 'count' ? ['--with-filename'] : []),
    ...(input.literal ? ['--fixed-strings'] : []),
    ...(input.case_insensitive ? ['--ignore-case'] : []),
    ...(input.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(input.hidden ? ['--hidden'] : []),
    ...fileFilter(input),
    `--regexp=${input.pattern}`,
    '--',
    target,
  ];
}

/**
 * What the program itself can leave out. A glob that lets files in would let ignored ones in too, so such a
 * glob becomes a type of its own, by its last segment; the whole of it is checked on each path that comes.
 */
function fileFilter({ glob, type }: GrepInput): string[] {
  if (type !== undefined) return [`--type=${type}`];
  if (glob === undefined) return [];
  if (glob.startsWith('!')) return [`--glob=${glob}`];
  const last = glob.split('/').at(-1) ?? '';
  const isPlain = last !== '' && !last.includes('**') && !/[{}]/.test(glob);
  return isPlain ? [`--type-add=wanted:${last}`, '--type=wanted'] : [];
}
