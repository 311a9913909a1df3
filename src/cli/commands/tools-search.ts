import type { ToolDefinition } from '../../core/index.ts';
import type { ToolFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { createStyle, oneLine } from '../render/style.ts';
import { withToolView } from '../tool-view.ts';

/** A plain word match on names and descriptions, the best first. Nothing found is an answer. */
export async function toolsSearch(
  io: Io,
  flags: ToolFlags & { readonly limit: number },
  query: string,
): Promise<number> {
  return withToolView(io, flags, async (view) => {
    const found = rank(view.definitions(), query).slice(0, flags.limit);
    if (flags.json === true) {
      await io.out(`${JSON.stringify(found.map(({ name, description, score }) => ({ name, description, score })))}\n`);
      return 0;
    }
    const style = createStyle(io.hasColor);
    const lines = found.map(({ name, description }) => {
      const about = oneLine(description, Math.max(20, io.columns - name.length - 2));
      return `${style.bold(name)}  ${style.dim(about)}\n`;
    });
    await io.out(lines.join('') || `No tool has a word of "${query}".\n`);
    return 0;
  });
}

interface Found extends ToolDefinition {
  readonly score: number;
}

/** A word in the name counts three times one in the description. */
function rank(definitions: readonly ToolDefinition[], query: string): Found[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  return definitions
    .flatMap((definition): Found[] => {
      const name = definition.name.toLowerCase();
      const text = definition.description.toLowerCase();
      const score = words.reduce((sum, word) => sum + (name.includes(word) ? 3 : 0) + (text.includes(word) ? 1 : 0), 0);
      return score > 0 ? [{ ...definition, score }] : [];
    })
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
}
