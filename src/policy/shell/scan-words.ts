import type { ProgramSpec } from './program-table.ts';
import { isHarmlessAwk, isHarmlessSed } from './script-code.ts';
import { setting } from './setting.ts';

/** What a program's words make it run. */
export interface Scan {
  /** Commands among its words: where they begin and end. */
  readonly commands: readonly { readonly from: number; readonly to: number }[];
  /** Texts that a shell runs; null where one is not known. */
  readonly texts: readonly (string | null)[];
  readonly beside: readonly string[];
  readonly hides?: string;
  readonly passive: boolean;
  /** Option values by name, as far as they are known. */
  readonly options: ReadonlyMap<string, string | null | undefined>;
}

type Words = readonly (string | null)[];

/** `env` takes any word with a `=` for one. */
const ASSIGNMENT = /^([^=]*)=/;
const FROM_INPUT = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);
/** Options with which a shell does no more than run its text. */
const PLAIN_SHELL = new Set(['-c', '-e', '-u', '-x', '-o', '-f', '-C']);
const ONLY_TELLS = new Set(['--version', '--help', '-V', '-h', '-v']);

/** Reads a program's words by what is known of it. `git` and the like are read on by their first operand. */
export function scanWords(words: Words, spec: ProgramSpec, begin = 1): Scan {
  const commands: { from: number; to: number }[] = [];
  const texts: (string | null)[] = [];
  const beside: string[] = [];
  const options = new Map<string, string | null | undefined>();
  let hides: string | undefined = spec.opaque ? `what ${words[0]} runs is not read` : undefined;
  const hide = (why: string) => {
    hides ??= why;
  };
  const operands: (string | null)[] = [];
  const codes: (string | null)[] = [];
  let lastOption = '';
  let codeNext = false;
  let isQuery = false;
  let onlyTells = false;
  let skip = spec.skip ?? 0;
  let open = true;

  /** Acts on an option; true when its value is the next word. */
  const option = (name: string, value: string | undefined, isLetter: boolean): boolean => {
    const has = (list: string | undefined) => list !== undefined && inList(list, name);
    options.set(name, value);
    lastOption = name;
    if (value !== undefined && spec.hidesWord?.test(value))
      hide(`${value.slice(0, 40)} makes ${words[0]} run what is not read`);
    if (has(spec.query)) isQuery = true;
    if (has(spec.hides)) hide(`${name} makes ${words[0]} run what is not read`);
    if (has(spec.writes)) beside.push(`${name} of ${words[0]}`);
    if (has(spec.text)) {
      if (value === undefined) return true;
      texts.push(value);
    } else if (has(spec.codeOption)) {
      codeNext = true;
      if (value === undefined) return true;
      codes.push(value);
    } else if (has(spec.values)) return value === undefined;
    else if (
      spec.runs !== undefined &&
      !has(spec.flags) &&
      !has(spec.optional) &&
      !has(spec.hides) &&
      !has(spec.query)
    ) {
      hide(`the option ${isLetter ? name : name.slice(0, 40)} of ${words[0]} is not known`);
    }
    return false;
  };

  let i = begin;
  for (; i < words.length; i++) {
    const word = words[i] as string | null;
    if (word !== null && spec.hidesWord?.test(word))
      hide(`${word.slice(0, 40)} makes ${words[0]} run what is not read`);
    if (open && word === '--') {
      open = false;
      continue;
    }
    const isOption =
      open &&
      word !== null &&
      (/^-./.test(word) ||
        (word === '-' && spec.flags?.includes('- ') === true) ||
        (spec.shell === true && /^\+./.test(word)));
    if (isOption && spec.sub?.[word] === undefined) {
      if (ONLY_TELLS.has(word)) onlyTells = true;
      if (spec.command !== undefined && inList(spec.command, word)) {
        const end = endOfCommand(words, i + 1);
        commands.push({ from: i + 1, to: end });
        i = end;
        continue;
      }
      if (readOption(word, spec, option)) {
        i++;
        const value = i < words.length ? (words[i] as string | null) : null;
        const name = lastOption;
        if (value !== null && spec.hidesWord?.test(value))
          hide(`${value.slice(0, 40)} makes ${words[0]} run what is not read`);
        options.set(name, value);
        if (spec.text !== undefined && inList(spec.text, name)) texts.push(value);
        if (spec.codeOption !== undefined && inList(spec.codeOption, name)) codes.push(value);
        if (name === '-m') operands.push(value);
      }
      continue;
    }
    const sets = spec.sets && word !== null ? ASSIGNMENT.exec(word)?.[1] : undefined;
    if (sets !== undefined) {
      beside.push(`sets ${sets}`);
      const { hides: why } = /^\w+\+?$/.test(sets) ? setting(sets, word) : { hides: `${sets} is no plain variable` };
      if (why !== undefined) hide(why);
      continue;
    }
    if (spec.runs !== undefined) {
      if (word === null && skip === 0 && spec.runs === 'words') {
        // The program itself is not known; it is told where that command is looked at.
        break;
      }
      if (word === null) hide(`a word of ${words[0]} is only known when it runs`);
      if (skip === 0) break;
      skip--;
      continue;
    }
    if (spec.sub !== undefined) {
      const below = word === null ? undefined : Object.hasOwn(spec.sub, word) ? spec.sub[word] : undefined;
      if (word === null) hide(`a word of ${words[0]} is only known when it runs`);
      if (below !== undefined) {
        const { hidesWord } = below.hidesWord ? below : spec;
        const rest = scanWords(words, hidesWord ? { ...below, hidesWord } : below, i + 1);
        return {
          ...rest,
          ...(hides === undefined ? {} : { hides }),
          beside: [...beside, ...rest.beside],
          passive: false,
        };
      }
      if (words.slice(i + 1).includes(null)) beside.push('takes a word that is only known when it runs');
      const risky = words.slice(i + 1).find((rest) => rest !== null && spec.hidesWord?.test(rest));
      if (risky) hide(`${risky.slice(0, 40)} makes ${words[0]} run what is not read`);
      operands.push(...words.slice(i));
      break;
    }
    operands.push(word);
    if (
      word === null &&
      (spec.command ?? spec.text ?? spec.hides ?? spec.code) !== undefined &&
      !spec.shell &&
      spec.input === undefined
    ) {
      hide(`a word of ${words[0]} is only known when it runs`);
    }
    // What stands behind a script's name is for the script.
    if (spec.shell || spec.input) break;
  }

  const rest = words.slice(i);
  if (spec.runs === 'words' && !isQuery && rest.length > 0) commands.push({ from: i, to: words.length });
  if (spec.runs !== undefined && !spec.passive && !isQuery && rest.length === 0 && !onlyTells) {
    hide(`${words[0]} may run what comes from its input`);
  }
  if (spec.runs === 'text' && rest.length > 0) texts.push(rest.includes(null) ? null : rest.join(' '));
  const first = operands[0];
  if (spec.hidesFirst !== undefined && first != null && spec.hidesFirst.test(first))
    hide(`${first} may make ${words[0]} run something`);
  if (spec.shell && [...options.keys()].includes('-c')) texts.push(first ?? null);
  else if ((spec.shell || spec.input) && !onlyTells) {
    if (first === null) hide(`what ${words[0]} runs is only known when it runs`);
    else if (first === undefined || FROM_INPUT.has(first)) hide(`${words[0]} runs what comes from its input`);
  }
  if (spec.code !== undefined) {
    if (!codeNext && first !== undefined) codes.push(first);
    if (spec.code === 'any') {
      if (first !== undefined && first !== '-' && first !== '') texts.push(first);
    } else {
      const isHarmless = spec.code === 'sed' ? isHarmlessSed : isHarmlessAwk;
      for (const code of codes)
        if (code === null || !isHarmless(code)) hide(`the code of ${words[0]} may run something`);
    }
  }
  const isPlain = !spec.shell || [...options.keys()].every((name) => PLAIN_SHELL.has(name));
  const runsAnother = commands.length + texts.length > 0;
  const passive = spec.passive === true && isPlain && runsAnother && beside.length === 0;
  return { commands, texts, beside, ...(hides === undefined ? {} : { hides }), passive, options };
}

/** Reads one option word, a row of letters letter by letter; true when a value follows as the next word. */
function readOption(
  word: string,
  spec: ProgramSpec,
  option: (name: string, value: string | undefined, isLetter: boolean) => boolean,
): boolean {
  const all = [spec.flags, spec.values, spec.text, spec.hides, spec.writes, spec.codeOption, spec.optional, spec.query];
  const isWhole = word.startsWith('--') || all.some((list) => list?.split(' ').includes(word));
  if (isWhole) {
    const equals = word.indexOf('=');
    return equals < 0 ? option(word, undefined, false) : option(word.slice(0, equals), word.slice(equals + 1), false);
  }
  const sign = word[0] as string;
  for (let at = 1; at < word.length; at++) {
    const name = sign + word[at];
    const rest = word.slice(at + 1);
    const takes = [spec.values, spec.text, spec.codeOption, spec.optional].some((list) =>
      list?.split(' ').includes(name),
    );
    if (takes) return option(name, rest === '' ? undefined : rest, true) && rest === '' && !isOptional(spec, name);
    if (option(name, undefined, true)) return true;
  }
  return false;
}

const isOptional = (spec: ProgramSpec, name: string) => spec.optional?.split(' ').includes(name) === true;

/** A long option may be written shorter. */
function inList(list: string, name: string): boolean {
  return list
    .split(' ')
    .some((each) => each === name || (name.length > 3 && name.startsWith('--') && each.startsWith(name)));
}

function endOfCommand(words: Words, from: number): number {
  for (let i = from; i < words.length; i++) {
    if (words[i] === ';' || (words[i] === '+' && words[i - 1] === '{}')) return i;
  }
  return words.length;
}
