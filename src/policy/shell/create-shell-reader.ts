import { createRequire } from 'node:module';
import type { Parser } from 'web-tree-sitter';
import type { ReadShell, ShellCommand } from '../../core/index.ts';
import { expandCommand } from './expand-command.ts';
import { setting } from './setting.ts';
import { walkTree } from './walk-tree.ts';

/** Longer lines are not read. */
const MOST_CHARS = 32_768;
/** A call is judged again before it starts: what was read of so many lines is kept. */
const MOST_KNOWN = 256;

/**
 * Makes the reader of shell lines. Its parser (tree-sitter with the grammar of bash) is loaded when the first
 * line comes. A line that cannot be read whole gets a command that `hides`: nothing but its very text allows it.
 */
export function createShellReader(): ReadShell {
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
    const commands = known.get(line) ?? remember(line, readLine(line, parser));
    return [...commands, ...Object.entries(env).map(([name, value]) => setting(name, value))];
  };
}

function readLine(line: string, parser: Parser): readonly ShellCommand[] {
  const commands: ShellCommand[] = [];
  const readText = (text: string, within: ShellCommand['within'], depth: number): void => {
    const hide = (hides: string) => {
      commands.push({ words: [null], hides, ...(within === undefined ? {} : { within }) });
    };
    const tree = text.length > MOST_CHARS || /[\r\0]/.test(text) ? null : parser.parse(text);
    if (tree === null || tree.rootNode.hasError) {
      tree?.delete();
      hide(text.length > MOST_CHARS ? 'it is too long to be read' : 'it could not be parsed');
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
  return commands;
}

async function loadParser(): Promise<Parser> {
  const { Language, Parser } = await import('web-tree-sitter');
  await Parser.init();
  const grammar = createRequire(import.meta.url).resolve('tree-sitter-bash/tree-sitter-bash.wasm');
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return parser;
}
