import { type Tool, type ToolDefinition, type ToolSet, ToolwrightError } from '../core/index.ts';
import { checkTool } from './check-tool.ts';
import { createDescriber, type ToolFault } from './describe-tool.ts';
import { createView, type ShadowedTool, type View, type ViewOptions, type ViewSource } from './view.ts';

export interface AddOptions {
  /** Where the tool comes from, for messages: a file, a server, `built-in`. */
  readonly source: string;
  /** Of two tools with one name the higher one stands. Default 0. */
  readonly priority?: number;
}

export interface RegistryChange {
  /** `shadowed`: the tool of that source is there, behind one of the same name with a higher priority. */
  readonly kind: 'added' | 'removed' | 'replaced' | 'shadowed';
  readonly name: string;
  readonly source: string;
}

/** All tools of the process. Setting up is cheap: schemas are converted when definitions are first read. */
export interface Registry extends ToolSet, ViewSource {
  /** `invalid_request` for what is no tool, `conflict` for a name or alias that is taken at the same priority. */
  add(tool: Tool, options: AddOptions): void;
  /** Puts a tool in the place of the one that stands under its name now; `not_found` when there is none. */
  replace(tool: Tool, options: { readonly source: string }): void;
  /** Takes out a name, or only that source's tool of the name: one that it had shadowed then stands again. */
  remove(name: string, options?: { readonly source: string }): boolean;
  /** Tools that `definitions()` leaves out because they cannot be described. */
  faults(): readonly ToolFault[];
  onChange(listener: (change: RegistryChange) => void): () => void;
  view(options?: ViewOptions): View;
}

interface Entry {
  readonly tool: Tool;
  readonly source: string;
  readonly priority: number;
}

export function createRegistry(): Registry {
  /** By name; the entry that stands comes first, those that it shadows follow by priority. */
  const entries = new Map<string, readonly Entry[]>();
  const aliases = new Map<string, string>();
  const listeners = new Set<(change: RegistryChange) => void>();
  let names: readonly string[] | undefined;
  let definitions: readonly ToolDefinition[] | undefined;

  const canonical = (written: string) => (entries.has(written) ? written : aliases.get(written));
  const standing = (written: string) => entries.get(canonical(written) ?? '')?.[0];
  const aliasesOf = (tool: Tool) => (tool.aliases ?? []).map((alias) => alias.name);

  function put(name: string, next: readonly Entry[]): void {
    for (const { tool } of entries.get(name) ?? []) for (const alias of aliasesOf(tool)) aliases.delete(alias);
    if (next.length === 0) entries.delete(name);
    else entries.set(name, next);
    for (const { tool } of next) for (const alias of aliasesOf(tool)) aliases.set(alias, name);
    names = undefined;
    definitions = undefined;
  }

  function tell(kind: RegistryChange['kind'], name: string, source: string): void {
    for (const listener of [...listeners]) listener({ kind, name, source });
  }

  function checkAliases(tool: Tool): void {
    for (const alias of aliasesOf(tool)) {
      const owner = aliases.get(alias);
      if (owner === undefined || owner === tool.name) continue;
      throw new ToolwrightError('conflict', `the tools ${owner} and ${tool.name} both have the alias ${alias}`, {
        hint: 'Take the alias off one of them.',
      });
    }
  }

  const readNames = () => {
    names ??= [...entries.keys()].sort();
    return names;
  };
  const describer = createDescriber({ names: readNames });
  const standingTools = () => readNames().flatMap((name) => standing(name)?.tool ?? []);

  const registry: Registry = {
    add(tool, { source, priority = 0 }) {
      checkTool(tool);
      checkAliases(tool);
      const { name } = tool;
      const present = entries.get(name) ?? [];
      const equal = present.find((entry) => entry.priority === priority);
      if (equal) {
        throw new ToolwrightError('conflict', `the tool ${name} of ${source} is already there, from ${equal.source}`, {
          hint: 'Rename one of them, give the one that shall stand a higher priority, or use replace().',
        });
      }
      const [before] = present;
      put(
        name,
        [...present, { tool, source, priority }].sort((a, b) => b.priority - a.priority),
      );
      if (before && before.priority > priority) return tell('shadowed', name, source);
      if (before) tell('shadowed', name, before.source);
      tell('added', name, source);
    },
    replace(tool, { source }) {
      checkTool(tool);
      const present = entries.get(tool.name);
      if (!present?.[0]) {
        throw new ToolwrightError('not_found', `there is no tool ${tool.name} to replace`, { hint: 'Use add().' });
      }
      checkAliases(tool);
      put(tool.name, [{ tool, source, priority: present[0].priority }, ...present.slice(1)]);
      tell('replaced', tool.name, source);
    },
    remove(name, options) {
      const present = entries.get(name) ?? [];
      const leaving = present.filter((entry) => options === undefined || entry.source === options.source);
      if (leaving.length === 0) return false;
      const staying = present.filter((entry) => !leaving.includes(entry));
      put(name, staying);
      for (const entry of leaving) tell('removed', name, entry.source);
      const [heir] = staying;
      if (heir && heir !== present[0]) tell('added', name, heir.source);
      return true;
    },
    get: (name) => standing(name)?.tool,
    canonical,
    names: readNames,
    definitions() {
      definitions ??= standingTools().flatMap((tool) => describer.describe(tool) ?? []);
      return definitions;
    },
    faults: () => standingTools().flatMap((tool) => describer.faultOf(tool) ?? []),
    sourceOf: (name) => standing(name)?.source,
    shadowed: () =>
      [...entries].flatMap(([name, list]) => list.slice(1).map(({ source }): ShadowedTool => ({ name, source }))),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    view: (options = {}) => createView(registry, options),
  };
  return registry;
}
