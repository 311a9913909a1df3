import type { ShellCommand } from '../../core/index.ts';
import { evaluatesNames, isIdle, programName, RESERVED, specOf } from './programs.ts';
import { scanWords } from './scan-words.ts';
import type { FoundCommand } from './walk-tree.ts';
import type { Word } from './word.ts';

/** Commands of a line at the most, and how deep one may stand in another. */
export const MOST_COMMANDS = 500;
const MOST_DEPTH = 12;

export interface ExpandParts {
  readonly commands: ShellCommand[];
  /** Reads a text that a shell would run, its commands within `command`. */
  readText(text: string, within: { readonly command: number }, depth: number): void;
}

type Within = ShellCommand['within'];

/** Adds a command and all that it makes run: behind `sudo` and `xargs`, in `bash -c`, at `find -exec`. */
export function expandCommand(found: FoundCommand, parts: ExpandParts, within: Within, depth: number): void {
  const { commands } = parts;
  const words = found.words.map(({ text, isGlob }, index) =>
    isGlob && (index === 0 || text === null || '*?[-'.includes(text[0] ?? '')) ? null : text,
  );
  const place = commands.length;
  const add = (more: Partial<ShellCommand>) => {
    commands.push({
      words,
      ...(found.beside.length === 0 ? {} : { beside: found.beside.join(', ') }),
      ...(found.writes === undefined ? {} : { writes: found.writes }),
      ...(found.hides === undefined ? {} : { hides: found.hides }),
      ...(within === undefined ? {} : { within }),
      ...more,
    });
  };
  const [first] = words;
  if (first == null || depth >= MOST_DEPTH || place >= MOST_COMMANDS) {
    if (first === undefined) add({});
    else add({ hides: first === null ? 'its program is only known when it runs' : 'it is nested too deep to be read' });
    return;
  }
  if (RESERVED.has(first)) {
    add({ hides: `${first} is not understood` });
    return;
  }
  const name = programName(first);
  if (evaluatesNames(name, words)) {
    add({ hides: `a variable that ${name} is given may have a command in its name` });
    return;
  }
  const spec = specOf(name);
  if (spec === undefined) {
    add(isIdle(name) && found.beside.length === 0 ? { passive: true } : {});
    return;
  }
  const scan = scanWords(words, spec);
  const beside = [...found.beside, ...scan.beside];
  const hides = found.hides ?? scan.hides;
  add({
    ...(beside.length === 0 ? {} : { beside: beside.join(', ') }),
    ...(hides === undefined ? {} : { hides }),
    ...(scan.passive && beside.length === 0 && hides === undefined ? { passive: true } : {}),
  });
  for (const { from, to } of scan.commands) {
    const inner = filledIn(name, found.words.slice(from, to), scan.options);
    if (inner.length > 0) expandCommand({ words: inner, beside: [] }, parts, { command: place, word: from }, depth + 1);
  }
  for (const text of scan.texts) {
    if (text === null)
      commands.push({
        words: [null],
        hides: 'the text that it runs is only known when it runs',
        within: { command: place },
      });
    else parts.readText(text, { command: place }, depth + 1);
  }
}

const UNKNOWN: Word = { text: null, isGlob: false };

/** The words of a command that a program fills with what it finds or reads. */
function filledIn(
  program: string,
  words: readonly Word[],
  options: ReadonlyMap<string, string | null | undefined>,
): Word[] {
  const fill = (sign: string) => words.map((word) => (word.text?.includes(sign) ? UNKNOWN : word));
  if (program === 'find' || program === 'fd' || program === 'fdfind') {
    const filled = fill('{');
    return program === 'find' || filled.includes(UNKNOWN) ? filled : [...filled, UNKNOWN];
  }
  if (program !== 'xargs') return [...words];
  const sign = ['-I', '-i', '-J', '--replace'].find((name) => options.has(name));
  if (sign === undefined) return [...words, UNKNOWN];
  return fill(options.get(sign) || '{}');
}
