import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import type { Parser, Tree } from 'web-tree-sitter';
import { type Clock, type ReadShell, type ShellCommand, systemClock } from '../../core/index.ts';
import { expandCommand, MOST_COMMANDS } from './expand-command.ts';
import { setting } from './setting.ts';
import { walkTree } from './walk-tree.ts';

/** Longer lines are not read. */
const MOST_CHARS = 32_768;
/** Brackets in brackets at the most. */
const MOST_DEPTH = 100;
/** A text of that size takes 40 ms. */
const MOST_MS = 500;
/** A call is judged again before it starts: what was read of so many lines is kept. */
const MOST_KNOWN = 256;

/**
 * Makes the reader of shell lines. Its parser (tree-sitter with the grammar of bash) is loaded when the first
 * line comes. A line that cannot be read whole gets a command that `hides`: nothing but its very text allows it.
 */
export function createShellReader(clock: Clock = systemClock): ReadShell {
  let loading: Promise<Parser> | undefined;
  const known = new Map<string, readonly ShellCommand[]>();
  const remember = (line: string, commands: readonly ShellCommand[]) => {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(line, commands);
    return commands;
  };
  return async (line, env = {}) => {
    loading ??= loadParser().catch((error) => {
      loading = undefined;
      throw error;
    });
    const parser = await loading;
    const commands = known.get(line) ?? remember(line, readLine(line, parser, clock));
    return [...commands, ...Object.entries(env).map(([name, value]) => setting(name, value))];
  };
}

function readLine(line: string, parser: Parser, clock: Clock): readonly ShellCommand[] {
  const commands: ShellCommand[] = [];
  const readText = (text: string, within: ShellCommand['within'], depth: number): void => {
    const hide = (hides: string) => {
      commands.push({ words: [null], hides, ...(within === undefined ? {} : { within }) });
    };
    const unfit = unfitness(text);
    const tree = unfit === undefined ? parse(text, parser, clock) : null;
    if (tree === null || tree.rootNode.hasError) {
      tree?.delete();
      hide(unfit ?? 'it could not be parsed');
      return;
    }
    try {
      walkTree(tree.rootNode, {
        source: text,
        isInner: within !== undefined,
        add: (found) => expandCommand(found, { commands, readText }, within, depth),
      });
    } finally {
      tree.delete();
    }
  };
  readText(line, undefined, 0);
  return commands.length > MOST_COMMANDS ? [{ words: [null], hides: 'it has too many commands' }] : commands;
}

/** Why a text is not even tried: its size and depth bound what reading it can cost. */
function unfitness(text: string): string | undefined {
  if (text.length > MOST_CHARS) return 'it is too long to be read';
  if (/[\r\0]/.test(text)) return 'it has a sign that shells read in different ways';
  let depth = 0;
  for (const sign of text) {
    if ('({['.includes(sign)) depth++;
    else if (')}]'.includes(sign)) depth = Math.max(0, depth - 1);
    if (depth > MOST_DEPTH) return 'it is nested too deep to be read';
  }
  return undefined;
}

/** Null for a text that takes too long, as some do in which the parser looks for a way round their errors. */
function parse(text: string, parser: Parser, clock: Clock): Tree | null {
  const end = clock.now() + MOST_MS;
  const tree = parser.parse(text, null, { progressCallback: () => clock.now() > end });
  if (tree === null) parser.reset();
  return tree;
}

/**
 * The parser stays as it is compiled first: the compiler's second look at the grammar takes half a second, which
 * a process that wants to end would wait for, and makes lines of a usual length no faster.
 */
async function loadParser(): Promise<Parser> {
  const { Language, Parser } = await import('web-tree-sitter');
  const grammar = createRequire(import.meta.url).resolve('tree-sitter-bash/tree-sitter-bash.wasm');
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  try {
    await Parser.init();
    const parser = new Parser();
    parser.setLanguage(await Language.load(grammar));
    // Its functions are compiled when they first run.
    parser.parse('a')?.delete();
    return parser;
  } finally {
    setFlagsFromString('--wasm-tier-up');
    setFlagsFromString('--wasm-dynamic-tiering');
  }
}
