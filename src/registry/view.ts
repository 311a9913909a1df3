import type { Tool, ToolDefinition, ToolSet } from '../core/index.ts';
import { createDescriber, type ToolFault } from './describe-tool.ts';
import { mcpServerPrefix } from './exposed-mcp-name.ts';
import { createNameList, type NameList } from './name-list.ts';
import { type AgentMode, BUNDLES, LEFT_OUT } from './presets.ts';

export interface ShadowedTool {
  readonly name: string;
  readonly source: string;
}

/** What a view looks at: a registry. */
export interface ViewSource extends Pick<ToolSet, 'get' | 'canonical'> {
  /** A new array whenever anything has changed. */
  names(): readonly string[];
  /** The source of the tool that a name or an alias stands for. */
  sourceOf(name: string): string | undefined;
  /** Tools that stand behind another one of the same name. */
  shadowed(): readonly ShadowedTool[];
}

export interface ViewOptions {
  /** Names, aliases or `prefix*`; absent: every tool that is not `explicitOnly`. An empty list allows none. */
  readonly allow?: readonly string[];
  /** Names, aliases or `prefix*` that are not to be had; stronger than `allow`. */
  readonly deny?: readonly string[];
  /** Registries in order of priority: of one name the first wins. This one comes first when it is not among them. */
  readonly from?: readonly ViewSource[];
  readonly agentMode?: AgentMode;
  /** Servers still connecting: names of theirs are `pending`, not `unknown`. */
  readonly pendingServers?: readonly string[];
}

/** The tools that a session may use. It is live: what is added later and allowed appears. */
export interface View extends ToolSet {
  /** Tools that another one of the same name hides. */
  readonly shadowed: readonly ShadowedTool[];
  /** Lines of the lists that match no tool. */
  readonly unknown: readonly string[];
  /** Lines of the lists that wait for their server. */
  readonly pending: readonly string[];
  /** One tool's definition, made when it is first asked for. */
  definition(name: string): ToolDefinition | undefined;
  /** Tools that cannot be described to a model, and why. */
  readonly faults: readonly ToolFault[];
}

interface Snapshot {
  /** `names()` of each registry: a new array says that the registry has changed. */
  readonly seen: readonly (readonly string[])[];
  readonly visible: ReadonlyMap<string, ViewSource>;
  readonly names: readonly string[];
  readonly shadowed: readonly ShadowedTool[];
  readonly unmatched: readonly string[];
}

/** A registry's view of its own and other registries' tools. */
export function createView(registry: ViewSource, options: ViewOptions): View {
  const given = options.from ?? [];
  const registries = given.includes(registry) ? given : [registry, ...given];
  let snapshot: Snapshot | undefined;

  const read = (): Snapshot => {
    const seen = registries.map((each) => each.names());
    if (snapshot && seen.every((names, index) => names === snapshot?.seen[index])) return snapshot;
    snapshot = lookAt(registries, seen, options);
    return snapshot;
  };
  const toolOf = (name: string): Tool | undefined => read().visible.get(name)?.get(name);
  const canonical = (written: string) => {
    const { visible } = read();
    if (visible.has(written)) return written;
    const name = nameIn(registries, written);
    return name !== undefined && visible.has(name) ? name : undefined;
  };
  const isPending = (line: string) =>
    (options.pendingServers ?? []).some((server) => line.startsWith(mcpServerPrefix(server)));

  const names = () => read().names;
  const describer = createDescriber({ names });
  const tools = () => names().flatMap((name) => toolOf(name) ?? []);
  let definitions: readonly ToolDefinition[] = [];
  let definedFor: Snapshot | undefined;

  return {
    get: (written) => toolOf(canonical(written) ?? ''),
    canonical,
    names,
    definitions() {
      if (definedFor !== read()) {
        definedFor = read();
        definitions = tools().flatMap((tool) => describer.describe(tool) ?? []);
      }
      return definitions;
    },
    definition(written) {
      const tool = toolOf(canonical(written) ?? '');
      return tool && describer.describe(tool);
    },
    get faults() {
      return tools().flatMap((tool) => describer.faultOf(tool) ?? []);
    },
    get shadowed() {
      return read().shadowed;
    },
    get unknown() {
      return read().unmatched.filter((line) => !isPending(line));
    },
    get pending() {
      return read().unmatched.filter(isPending);
    },
  };
}

/** A real name is never hidden by an alias, whichever registries the two stand in. */
function nameIn(registries: readonly ViewSource[], written: string): string | undefined {
  if (registries.some((registry) => registry.canonical(written) === written)) return written;
  for (const registry of registries) {
    const name = registry.canonical(written);
    if (name !== undefined) return name;
  }
  return undefined;
}

function lookAt(
  registries: readonly ViewSource[],
  seen: readonly (readonly string[])[],
  { allow, deny = [], agentMode }: ViewOptions,
): Snapshot {
  const owners = new Map<string, ViewSource>();
  const losers: ShadowedTool[] = [];
  registries.forEach((registry, index) => {
    for (const name of seen[index] ?? []) {
      if (owners.has(name)) losers.push({ name, source: registry.sourceOf(name) ?? '' });
      else owners.set(name, registry);
    }
    losers.push(...registry.shadowed());
  });
  const all = [...owners.keys()].sort();
  const listOf = (lines: readonly string[]) => createNameList(lines, (name) => nameIn(registries, name));
  const allowed = allow && listOf(allow);
  const denied = listOf(deny);
  const leftOut = agentMode ? LEFT_OUT[agentMode] : undefined;
  const names = all.filter(
    (name) => !leftOut?.has(name) && !isDenied(denied, name) && isAllowed(allowed, name, owners.get(name)?.get(name)),
  );
  const visible = new Map(names.map((name) => [name, owners.get(name) as ViewSource]));
  return {
    seen,
    names,
    visible,
    shadowed: losers.filter((loser) => visible.has(loser.name)),
    unmatched: [...new Set([...(allowed?.unmatched(all) ?? []), ...denied.unmatched(all)])],
  };
}

const bundleOf = (name: string): readonly string[] => BUNDLES.find((bundle) => bundle.includes(name)) ?? [name];

function isAllowed(allowed: NameList | undefined, name: string, tool: Tool | undefined): boolean {
  if (tool?.traits?.explicitOnly) return allowed?.names(name) ?? false;
  return allowed === undefined || bundleOf(name).some((each) => allowed.has(each));
}

/** The tools that wait for or end a shell go with the one that starts it. */
function isDenied(denied: NameList, name: string): boolean {
  return denied.has(name) || denied.has(bundleOf(name)[0] ?? name);
}
