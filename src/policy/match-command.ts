import type { ShellCommand } from '../core/index.ts';
import { createGlob, mayContinue } from './match-glob.ts';
import { readCommand } from './read-command.ts';
import { programName } from './shell/programs.ts';
import type { Line } from './units.ts';

/**
 * `exact`: the rule is this very line, or command. `maybe`: only the running shell knows whether it is one that
 * the rule means.
 */
export type Match = 'exact' | 'yes' | 'maybe' | 'no';

type Words = readonly (string | null)[];

interface Pattern {
  /** How it fits a command's words, and how many of them it speaks of. */
  match(words: Words): { readonly match: Match; readonly reach: number };
}

/**
 * Makes a test of a command specifier: `git status:*` and `npm run *` (these words and any behind them),
 * `git * main` (`*` for any text), or a whole command; `\*` is a star. A rule that permits (`allows`) fits a
 * command that does nothing beside what its words say, or a line that is the rule letter for letter; one that
 * forbids also fits a program by another path, and what it cannot be sure of it fits `maybe`.
 */
export function createCommandTest(
  specifier: string,
  { allows }: { readonly allows: boolean },
): (command: ShellCommand, line: Line) => Match {
  const pattern = createPattern(specifier);
  const literal = hasStar(specifier) ? undefined : unescaped(specifier).trim();
  if (allows) {
    return (command, line) => {
      if (literal !== undefined && line.text === literal) return 'exact';
      return permits(pattern, command, line, 0) ? 'yes' : 'no';
    };
  }
  const possible = new WeakMap<Line, boolean>();
  return (command, line) => {
    if (literal !== undefined && line.text === literal) return 'exact';
    const hasMoved =
      command.within !== undefined || line.commands.some(({ words }) => words[0] === 'cd' || words[0] === 'pushd');
    let found: Match = 'no';
    for (const words of spellings(command.words, hasMoved)) {
      const { match } = pattern.match(words);
      if (match === 'yes' || match === 'exact') return match;
      if (match === 'maybe') found = match;
    }
    if (command.hides === undefined) return found;
    if (!possible.has(line))
      possible.set(
        line,
        line.possible().some((words) => pattern.match(words).match === 'yes'),
      );
    return possible.get(line) ? 'yes' : 'maybe';
  };
}

/**
 * Covered by itself, or because the rule that covers the command around it names this one, too: `need` is how
 * many of the words the rule has to speak of.
 */
function permits(pattern: Pattern, command: ShellCommand, { commands }: Pick<Line, 'commands'>, need: number): boolean {
  const isPlain = command.beside === undefined && command.hides === undefined;
  const [first] = command.words;
  if (isPlain && first != null) {
    const found = pattern.match([programName(first), ...command.words.slice(1)]);
    if (found.match === 'yes' && found.reach >= need) return true;
  }
  const { within } = command;
  const around = within && commands[within.command];
  if (around === undefined || within?.word === undefined) return false;
  return permits(pattern, around, { commands }, within.word + Math.max(need, 1));
}

/** A command's words as they stand and as the same program could have been called. */
function spellings(words: Words, hasMoved: boolean): Words[] {
  const [first, ...rest] = words;
  if (first == null) return [words];
  const all = [words];
  const name =
    first.startsWith('/') || first.includes('..') || hasMoved ? first.slice(first.lastIndexOf('/') + 1) : first;
  if (name !== first) all.push([name, ...rest]);
  if (name === 'git') {
    const at = rest.findIndex((word, index) => !isGitOption(word) && !takesValue(rest[index - 1]));
    if (at > 0) all.push([name, ...rest.slice(at)]);
  }
  return all;
}

const isGitOption = (word: string | null | undefined) => word?.startsWith('-') ?? false;
const takesValue = (word: string | null | undefined) =>
  /^(?:-C|-c|--git-dir|--work-tree|--namespace|--super-prefix|--config-env|--attr-source)$/.test(word ?? '');

function createPattern(specifier: string): Pattern {
  const prefix = /^(.*?)(?::\*| \*)$/s.exec(specifier)?.[1];
  if (prefix !== undefined && !hasStar(prefix)) {
    const start = wordsOf(prefix);
    return { match: (words) => ({ match: compare(start, words, false), reach: start.length }) };
  }
  if (hasStar(specifier)) {
    const text = specifier.replace(/:\*$/, '*');
    const glob = createGlob(text, { single: false });
    const reach = wordsOf(text.slice(0, text.lastIndexOf('*'))).length;
    return {
      match(words) {
        const unknown = words.indexOf(null);
        if (unknown < 0) return { match: glob(words.join(' ')) ? 'yes' : 'no', reach };
        const known = words.slice(0, unknown).map((word) => `${word} `);
        return { match: mayContinue(text, known.join('')) ? 'maybe' : 'no', reach };
      },
    };
  }
  const whole = wordsOf(specifier);
  return { match: (words) => ({ match: compare(whole, words, true), reach: Number.POSITIVE_INFINITY }) };
}

function compare(rule: readonly string[], words: Words, whole: boolean): Match {
  for (const [index, word] of rule.entries()) {
    if (words[index] === null) return 'maybe';
    if (words[index] !== word) return 'no';
  }
  if (!whole || words.length === rule.length) return 'yes';
  return words.slice(rule.length).every((word) => word === null) ? 'maybe' : 'no';
}

function wordsOf(text: string): readonly string[] {
  const [program, ...rest] = readCommand(unescaped(text)).words;
  return program === undefined ? [] : [programName(program), ...rest];
}

const hasStar = (text: string) => /\*/.test(text.replace(/\\[\s\S]/g, ''));
const unescaped = (text: string) => text.replace(/\\([\\*])/g, '$1');
