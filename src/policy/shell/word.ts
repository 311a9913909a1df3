import type { Node } from 'web-tree-sitter';
import { setting } from './setting.ts';

/** A word of a shell line. */
export interface Word {
  /** Without quotes; null where only the running shell knows. */
  readonly text: string | null;
  /** It has an unquoted `*`, `?` or `[`, so that file names may stand in its place. */
  readonly isGlob: boolean;
}

export interface WordParts {
  /** Reads what stands inside `$( )`, backquotes and `<( )`. */
  run(node: Node): void;
  /** The line gives its variables nothing but numbers, so that arithmetic on them runs nothing. */
  readonly hasOnlyNumbers: boolean;
  /** Something in the line is not understood, or may run what nobody has read. */
  hide(why: string): void;
}

const UNKNOWN: Word = { text: null, isGlob: false };
/** Signs that an unquoted word cannot hold without a backslash; where one does, the parser has misread the line. */
const ACTIVE = /[\s;&|<>()$`"']/;
const PLAIN_VARIABLE = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!_-])$/;
const NAME = '(?:[A-Za-z_]\\w*(?:\\[[@*\\d]+\\])?|[0-9@*#?!_-])';
/** `${x}`, `${#x}`, `${x:-default}`, `${x%pattern}`, `${x/a/b}`; other forms may evaluate what they find. */
const PLAIN_EXPANSION = new RegExp(
  `^\\$\\{#?${NAME}(?::?[-+=][\\w./:,@%+-]*|(?:%%?|##?|//?|\\^\\^?|,,?)[^$\`(){}"'\\\\]*)?\\}$`,
);

/** A word's text as the program would get it. */
export function readWord(node: Node, parts: WordParts): Word {
  switch (node.type) {
    case 'command_name':
      return node.childCount === 1 ? readWord(node.child(0) as Node, parts) : lost(node, parts);
    case 'word':
    case 'variable_name':
    case 'special_variable_name':
    case 'file_descriptor':
      return bareWord(node.text, parts);
    case 'number':
      return node.childCount === 0 ? bareWord(node.text, parts) : lost(node, parts);
    case 'raw_string':
      return /^'[^']*'$/.test(node.text) ? { text: node.text.slice(1, -1), isGlob: false } : lost(node, parts);
    case 'ansi_c_string':
      return { text: ansiText(node.text), isGlob: false };
    case 'string':
      return quotedWord(node, parts);
    case 'translated_string':
      return quotedWord(node.lastChild as Node, parts);
    case 'concatenation':
      return joined(node, parts);
    case 'simple_expansion':
      if (!PLAIN_VARIABLE.test(node.text)) parts.hide(`it cannot be said what ${short(node.text)} stands for`);
      return UNKNOWN;
    case 'expansion':
      if (!PLAIN_EXPANSION.test(node.text) || setsDangerous(node.text))
        parts.hide(`${short(node.text)} may run something`);
      runInside(node, parts);
      return UNKNOWN;
    case 'command_substitution':
    case 'process_substitution':
      parts.run(node);
      return UNKNOWN;
    case 'arithmetic_expansion':
      readArithmetic(node, parts);
      return UNKNOWN;
    case 'brace_expression':
      return UNKNOWN;
    case 'subscript':
      readArithmetic(node, parts);
      return UNKNOWN;
    default:
      return lost(node, parts);
  }
}

/** Arithmetic evaluates what its variables hold, and that may be a command. */
export function readArithmetic(node: Node, parts: WordParts): void {
  const risky = ['expansion', 'string', 'raw_string', 'ansi_c_string', 'concatenation', 'subscript'];
  const names = node.descendantsOfType(['variable_name', 'simple_expansion', 'word']);
  const areNames = names.every((name) => /^\$?[A-Za-z_]\w*$/.test(name?.text ?? ''));
  const isPlain =
    node.descendantsOfType(risky).length === 0 && areNames && (parts.hasOnlyNumbers || names.length === 0);
  if (!isPlain) parts.hide('arithmetic on variables may run something');
  runInside(node, parts);
}

const SETTERS =
  /\b(?:read|mapfile|readarray|printf|getopts|set|declare|typeset|local|export|readonly|select|let|eval|source|unset|coproc|trap)\b/;

/** Whether all that a line sets its variables to is numbers; what is not sure does not count as such. */
export function setsOnlyNumbers(source: string): boolean {
  const rest = source
    .replace(/\bfor\s+\w+\s+in(?:\s+[\d{}.]+)*\s*[;\n]/g, '')
    .replace(/\b[A-Za-z_]\w*\+?=(?:\d+|\$\(\([^()$`]*\)\))(?=[\s;&|)]|$)/g, '');
  return !SETTERS.test(source) && !/\bfor\s+\w+\s+in\b|[\w\]]\+?=/.test(rest);
}

/** `${PATH:=x}` sets it. */
function setsDangerous(text: string): boolean {
  const name = /^\$\{(\w+):?=/.exec(text)?.[1];
  return name !== undefined && setting(name, null).hides !== undefined;
}

function runInside(node: Node, parts: WordParts): void {
  for (const inner of node.descendantsOfType(['command_substitution', 'process_substitution'])) {
    if (inner) parts.run(inner);
  }
}

function lost(node: Node, parts: WordParts): Word {
  parts.hide(`${short(node.text)} is not understood`);
  runInside(node, parts);
  return UNKNOWN;
}

function bareWord(raw: string, parts: WordParts): Word {
  let text = '';
  let isGlob = false;
  for (let i = 0; i < raw.length; i++) {
    const character = raw[i] as string;
    if (character === '\\') {
      i++;
      if (raw[i] !== '\n') text += raw[i] ?? '\\';
      continue;
    }
    if (ACTIVE.test(character)) {
      parts.hide(`${short(raw)} is not understood`);
      return UNKNOWN;
    }
    if ('*?['.includes(character)) isGlob = true;
    text += character;
  }
  return hasBraces(raw) ? UNKNOWN : { text, isGlob };
}

/** `{a,b}` and `{1..3}` become several words. */
const hasBraces = (raw: string) => /\{[^}]*(?:,|\.\.)/.test(raw);

function joined(node: Node, parts: WordParts): Word {
  let text: string | null = '';
  let isGlob = false;
  let bare = '';
  let at = node.startIndex;
  for (const child of node.children) {
    if (!child) continue;
    if (child.startIndex !== at) parts.hide(`${short(node.text)} is not understood`);
    at = child.endIndex;
    const word = readWord(child, parts);
    text = text === null || word.text === null ? null : text + word.text;
    isGlob ||= word.isGlob;
    bare += child.type === 'word' || child.type === 'number' ? child.text : '_';
  }
  if (at !== node.endIndex) parts.hide(`${short(node.text)} is not understood`);
  return { text: hasBraces(bare) ? null : text, isGlob };
}

/** Text in double quotes: all that is no expansion counts, also what the parser gave no name. */
function quotedWord(node: Node, parts: WordParts): Word {
  const raw = node.text;
  if (node.type !== 'string' || raw.length < 2 || !raw.startsWith('"') || !raw.endsWith('"')) return lost(node, parts);
  let text: string | null = '';
  let at = node.startIndex + 1;
  const take = (until: number) => {
    const piece = raw.slice(at - node.startIndex, until - node.startIndex);
    if (hasExpansion(piece)) parts.hide(`${short(raw)} is not understood`);
    if (text !== null) text += piece.replace(/\\([$`"\\\n])/g, (_, sign: string) => (sign === '\n' ? '' : sign));
  };
  for (const child of node.namedChildren) {
    if (!child || child.type === 'string_content') continue;
    take(child.startIndex);
    readWord(child, parts);
    text = null;
    at = child.endIndex;
  }
  take(node.endIndex - 1);
  return { text, isGlob: false };
}

/** Whether text in double quotes or a here-document would be expanded. */
export function hasExpansion(text: string): boolean {
  return /^(?:[^\\$`]|\\[\s\S]|\$(?![A-Za-z_0-9({@*#?!$-]))*$/.test(text) === false;
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

/** The text of `$'…'`; null when it holds something that ends a text early or is not known. */
function ansiText(raw: string): string | null {
  if (!/^\$'(?:[^'\\]|\\[\s\S])*'$/.test(raw)) return null;
  let known = true;
  const text = raw
    .slice(2, -1)
    .replace(/\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[0-7]{1,3}|[\s\S])/g, (_, code: string) => {
      const simple = SIMPLE_ESCAPES[code];
      if (simple !== undefined) return simple;
      const value = /^[0-7]/.test(code)
        ? Number.parseInt(code, 8)
        : /^[xuU]./.test(code)
          ? Number.parseInt(code.slice(1), 16)
          : 0;
      // Beyond ASCII the result depends on the locale.
      if (value === 0 || value > 127) known = false;
      return String.fromCharCode(value);
    });
  return known ? text : null;
}

export const short = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text).replace(/\s+/g, ' ');
