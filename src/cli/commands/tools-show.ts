import { ToolwrightError } from '../../core/index.ts';
import { nearNames } from '../../schema/index.ts';
import type { ToolFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { createStyle, harmless } from '../render/style.ts';
import { providerOf, toolToJson, toProvider } from '../render/tool-json.ts';
import { withToolView } from '../tool-view.ts';

export async function toolsShow(
  io: Io,
  flags: ToolFlags & { readonly format?: string },
  name: string,
): Promise<number> {
  const provider = flags.format === undefined ? undefined : providerOf(flags.format);
  return withToolView(io, flags, async (view, runtime) => {
    const canonical = view.canonical(name);
    const definition = view.definitions().find((other) => other.name === canonical);
    if (definition === undefined) throw unknownTool(name, view.names());
    if (provider !== undefined) {
      await io.out(`${JSON.stringify(toProvider(definition, provider), null, 2)}\n`);
      return 0;
    }
    const facts = toolToJson(definition, view, runtime);
    if (flags.json === true) {
      await io.out(`${JSON.stringify(facts)}\n`);
      return 0;
    }
    const style = createStyle(io.hasColor);
    const rows = [
      `${style.bold(definition.name)}${facts.source === undefined ? '' : style.dim(`  from ${facts.source}`)}`,
      harmless(definition.description),
      ...(facts.aliases.length > 0 ? [`${style.bold('also called:')} ${facts.aliases.join(', ')}`] : []),
      `${style.bold('traits:')} ${traitText(facts.traits)}`,
      `${style.bold('input:')} ${JSON.stringify(definition.inputSchema, null, 2)}`,
    ];
    await io.out(`${rows.join('\n')}\n`);
    return 0;
  });
}

function unknownTool(name: string, names: readonly string[]): ToolwrightError {
  const near = nearNames(name, names);
  return new ToolwrightError('unknown_tool', `there is no tool named ${name}`, {
    hint:
      near.length > 0 ? `Did you mean ${near.join(' or ')}?` : '`toolwright tools list` shows those that there are.',
  });
}

function traitText(traits: Record<string, unknown>): string {
  const set = Object.entries(traits).map(([key, value]) => (value === true ? key : `${key} ${String(value)}`));
  return set.length > 0 ? set.join(', ') : 'the careful defaults';
}
