import { pathToFileURL } from 'node:url';
import { messageOf, type Tool } from '../core/index.ts';
import { collectTools, FURTHER_TOOLS, loadTools, presets, type Registry } from '../registry/index.ts';
import { createLoadSkill } from '../skills/index.ts';
import type { Settings } from './settings.ts';
import { matchFiles } from './tool-files.ts';

export type PresetName = keyof typeof presets;

export interface ToolSources {
  readonly settings: Pick<Settings, 'toolFiles'>;
  readonly preset?: PresetName;
  readonly tools?: readonly Tool[];
  readonly toolsDirs?: readonly string[];
}

/** The higher one stands where two sources have a tool of one name. */
const PRIORITY = { builtIn: 0, settings: 10, folder: 20, options: 30 } as const;

/** Fills the registry; gives warnings, one line each. */
export async function addTools(registry: Registry, sources: ToolSources): Promise<string[]> {
  const warnings: string[] = [];
  const add = (tools: readonly Tool[], source: string, priority: number) => {
    for (const tool of tools) registry.add(tool, { source, priority });
  };
  const offShadow = registry.onChange(({ kind, name, source }) => {
    if (kind !== 'shadowed') return;
    warnings.push(`the tool ${name} of ${source} is hidden by that of ${registry.sourceOf(name)}`);
  });
  const preset = new Set(presets[sources.preset ?? 'standard']);
  if (preset.size > 0) {
    const builtIn = collectTools(await import('../tools/index.ts'));
    const wanted = builtIn.filter((tool) => preset.has(tool.name) || FURTHER_TOOLS.includes(tool.name));
    add(wanted, 'built-in', PRIORITY.builtIn);
    if (preset.has('load_skill')) add([createLoadSkill()], 'built-in', PRIORITY.builtIn);
  }
  for (const { pattern, folder } of sources.settings.toolFiles) {
    for (const file of await matchFiles(folder, pattern)) {
      try {
        add(collectTools(await import(pathToFileURL(file).href)), file, PRIORITY.settings);
      } catch (error) {
        warnings.push(`the tools of ${file} were left out: ${messageOf(error)}`);
      }
    }
  }
  for (const dir of sources.toolsDirs ?? []) {
    const { tools, diagnostics } = await loadTools(dir);
    for (const { file, message } of diagnostics) warnings.push(`tools of ${file} were left out: ${message}`);
    add(tools, dir, PRIORITY.folder);
  }
  add(sources.tools ?? [], 'options', PRIORITY.options);
  offShadow();
  return warnings;
}
