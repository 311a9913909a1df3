import type { ToolFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { createStyle, oneLine } from '../render/style.ts';
import { providerOf, toolToJson, toProvider } from '../render/tool-json.ts';
import { withToolView } from '../tool-view.ts';

export async function toolsList(io: Io, flags: ToolFlags & { readonly format?: string }): Promise<number> {
  const provider = flags.format === undefined ? undefined : providerOf(flags.format);
  return withToolView(io, flags, async (view, runtime) => {
    const definitions = view.definitions();
    if (provider !== undefined) {
      await io.out(
        `${JSON.stringify(
          definitions.map((definition) => toProvider(definition, provider)),
          null,
          2,
        )}\n`,
      );
      return 0;
    }
    if (flags.json === true) {
      await io.out(`${JSON.stringify(definitions.map((definition) => toolToJson(definition, view, runtime)))}\n`);
      return 0;
    }
    const style = createStyle(io.hasColor);
    const width = Math.max(0, ...definitions.map(({ name }) => name.length));
    const lines = definitions.map(({ name, description }) => {
      const about = oneLine(description, Math.max(20, io.columns - width - 2));
      return `${style.bold(name.padEnd(width))}  ${style.dim(about)}\n`;
    });
    await io.out(lines.join('') || 'There are no tools here.\n');
    return 0;
  });
}
