/** A command line's words with quotes taken off. */
export interface CommandWords {
  readonly words: readonly string[];
  /** It is one simple command: nothing in it makes the shell run, redirect, expand or set anything else. */
  readonly isPlain: boolean;
}

const ACTIVE = new Set(';&|<>$`()\n\r');
const ACTIVE_IN_QUOTES = new Set('$`');
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*(\[[^\]]*\])?\+?=/;

/** Reads a command line by the shell's quoting rules. What it does not understand makes it not plain. */
export function readCommand(text: string): CommandWords {
  const words: string[] = [];
  let isPlain = true;
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    const next = text[i + 1];
    if (quote === "'") {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '\\') {
      if (next === undefined || next === '\n' || next === '\r') isPlain = false;
      const keeps = quote !== '' && next !== undefined && !'"\\$`'.includes(next);
      word = (word ?? '') + (keeps ? character : '') + (next ?? '');
      i++;
    } else if (quote === '"') {
      if (character === quote) quote = '';
      else word += character;
      if (ACTIVE_IN_QUOTES.has(character)) isPlain = false;
    } else if (character === ' ' || character === '\t') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word ??= '';
      if (character === "'" || character === '"') quote = character;
      else word += character;
      if (ACTIVE.has(character)) isPlain = false;
    }
  }
  if (word !== undefined) words.push(word);
  if (quote !== '' || ASSIGNMENT.test(words[0] ?? '')) isPlain = false;
  return { words, isPlain };
}

/** Words in front of a command that run it. */
const CARRIERS = new Set(
  '! { } if then else elif while until do time exec command builtin env sudo nohup nice xargs'.split(' '),
);

/** Commands read in a row of carriers; of a longer row only the last one, so that the work stays linear. */
const MOST_CARRIERS = 50;

/**
 * Every command that a line may run, as words, for rules that forbid: the line is cut at whatever could begin
 * another command, in quotes as well, and each piece is read with and without what stands in front of it.
 */
export function possibleCommands(text: string): (readonly string[])[] {
  const found: (readonly string[])[] = [];
  for (const piece of text.replace(/\\\r?\n/g, '').split(/[;&|<>$`(){}\n\r]+/)) {
    const { words } = readCommand(piece);
    for (let at = 0; at < words.length; at++) {
      const program = baseName(words[at] ?? '');
      const isCarrier = CARRIERS.has(program) || ASSIGNMENT.test(words[at] ?? '');
      if (at > MOST_CARRIERS && isCarrier) continue;
      found.push(words.slice(at));
      if (program !== words[at]) found.push([program, ...words.slice(at + 1)]);
      if (!isCarrier) break;
    }
  }
  return found;
}

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
