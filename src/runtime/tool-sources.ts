import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, type Tool, ToolwrightError } from '../core/index.ts';
import { collectTools, loadTools, type Registry } from '../registry/index.ts';
import type { Settings } from './settings.ts';

export type PresetName = 'empty' | 'standard';

export interface ToolSources {
  readonly cwd: string;
  readonly settings: Pick<Settings, 'toolFiles'>;
  readonly preset?: PresetName;
  readonly tools?: readonly Tool[];
  readonly toolsDirs?: readonly string[];
}

/** Later sources take the place of earlier ones with the same name. */
const PRIORITY = { builtIn: 0, home: 10, folder: 20, options: 30 } as const;

/** Fills the registry; gives warnings, one line each. */
export async function addTools(registry: Registry, sources: ToolSources): Promise<string[]> {
  for (const tool of sources.tools ?? []) registry.add(tool, { source: 'options', priority: PRIORITY.options });
  return [];
}
