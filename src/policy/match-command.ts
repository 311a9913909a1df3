import { matchSegment } from './match-path.ts';

/** Signs that make more of a command than one program with its arguments. */
const COMPOUND = /[;&|<>$`(){}\n\r\\]/;
const SEGMENTS = /[;&|\n\r(){}`]|\$\(|<\(|>\(/;
const ASSIGNMENT = /^\s*[A-Za-z_][A-Za-z0-9_]*\+?=/;

/**
 * Whether an allowing rule covers a whole command. Careful: a command that holds anything beyond one plain
 * program with its arguments is not covered. Single-quoted text is taken as it stands.
 */
export function coversCommand(specifier: string, command: string): boolean {
  const bare = command.replace(/'[^']*'/g, (quoted) => `'${'x'.repeat(quoted.length - 2)}'`);
  if (COMPOUND.test(bare) || ASSIGNMENT.test(command)) return false;
  return fits(specifier, command);
}

/** Whether a refusing rule touches a command: any part of it begins as the rule says. */
export function touchesCommand(specifier: string, command: string): boolean {
  const parts = command.split(SEGMENTS).map((part) => part.replace(/^(\s*[A-Za-z_][A-Za-z0-9_]*\+?=\S*)+/, ''));
  return fits(specifier, command) || parts.some((part) => fits(specifier, part));
}

/** `git status:*` and `git status *` are a prefix with a word border; `*` elsewhere is any text. */
function fits(specifier: string, command: string): boolean {
  const words = command.trim().replace(/[ \t]+/g, ' ');
  const prefix = /^(.*?)(?::\*| \*)$/.exec(specifier)?.[1];
  if (prefix !== undefined && !prefix.includes('*')) return words === prefix || words.startsWith(`${prefix} `);
  return matchSegment(
    specifier.replace(/:\*$/, '*').replace(/[?\\]/g, (sign) => `\\${sign}`),
    words,
  );
}
