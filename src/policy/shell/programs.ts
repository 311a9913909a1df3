import { PROGRAMS, type ProgramSpec } from './program-table.ts';
import { setting } from './setting.ts';

/** Built-in commands that run and change nothing. */
const IDLE = new Set([':', 'true', 'false', 'test', '[', 'break', 'continue', 'return', 'exit']);
export const isIdle = (program: string) => IDLE.has(program);

/** Words of the grammar; where one stands as a program, the line was misread. */
export const RESERVED = new Set(
  '{ } ! ( ) (( )) [[ ]] if then elif else fi for in do done while until case esac select function'.split(' '),
);

/** Built-in commands that evaluate the names of variables, down to what stands in `[ ]`. */
const NAMES_VARIABLES = new Set(
  'test [ printf declare typeset local export readonly read unset wait getopts mapfile readarray let'.split(' '),
);
/** These only with such an option. */
const BY_OPTION: Readonly<Record<string, RegExp>> = {
  test: /^-[vR]$/,
  '[': /^-[vR]$/,
  printf: /^-v/,
  wait: /^-\w*p/,
  getopts: /^$/,
};

/** Whether a name that is not known, or that holds a command, is evaluated. */
export function evaluatesNames(program: string, words: readonly (string | null)[]): boolean {
  if (!NAMES_VARIABLES.has(program)) return false;
  const isRisky = (word: string) => /\[[\s\S]*[$`]/.test(word) || setting(word, null).hides !== undefined;
  const isIdleTest = program === 'test' || program === '[';
  if (words.some((word) => word !== null && (isIdleTest ? /\[[\s\S]*[$`]/.test(word) : isRisky(word)))) return true;
  const option = Object.hasOwn(BY_OPTION, program) ? BY_OPTION[program] : undefined;
  return words.includes(null) && (option === undefined || words.some((word) => word !== null && option.test(word)));
}

/** Folders in which a program is the one that its bare name means. */
const STANDARD = /^(?:\/usr)?(?:\/local)?\/s?bin\/([^/]+)$|^\/opt\/homebrew\/s?bin\/([^/]+)$/;

/** The name that a program is known by: `/bin/rm` is `rm`; `./rm` is not. */
export function programName(word: string): string {
  const found = STANDARD.exec(word);
  return found?.[1] ?? found?.[2] ?? word;
}

const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^(?:python|pypy)[\d.]+$/, 'python'],
  [/^(?:perl|ruby|php|lua|node|bash|tclsh|vim)-?[\d.]+$/, ''],
  [/^(?:g|m|n|o)awk$|^original-awk$/, 'awk'],
  [/^gsed$/, 'sed'],
  [/^(?:g|bsd)tar$/, 'tar'],
  [/^g(?:timeout|nice|nohup|stdbuf|env|xargs|find|sort|split)$/, 'g'],
  [/^nodejs$/, 'node'],
  [/^vim\.\w+$|^vim(?:tutor)?$|^rvim$|^gvim$/, 'vim'],
  [/^ld(?:-linux.*)?\.so(?:\.\d+)?$|^ld-musl.*$/, 'busybox'],
];

/** What is known of a program by its name. */
export function specOf(name: string): ProgramSpec | undefined {
  const last = name.slice(name.lastIndexOf('/') + 1);
  if (Object.hasOwn(PROGRAMS, last)) return PROGRAMS[last];
  for (const [pattern, family] of FAMILIES) {
    if (!pattern.test(last)) continue;
    const stem = family === '' ? last.replace(/-?[\d.]+$/, '') : family === 'g' ? last.slice(1) : family;
    return PROGRAMS[stem];
  }
  return undefined;
}
