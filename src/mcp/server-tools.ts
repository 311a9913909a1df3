import { type Log, messageOf, type Tool } from '../core/index.ts';
import type { ListedTools } from './line/list-tools.ts';
import type { Pins } from './pins.ts';
import { type QuarantinedTool, quarantined, type ServerTool, type ToToolOptions, toTool } from './tool/to-tool.ts';

/** The part of the registry that servers' tools go through. */
export interface ToolRegistry {
  add(tool: Tool, options: { readonly source: string }): void;
  remove(name: string, options: { readonly source: string }): boolean;
}

export interface ServerToolsOptions extends Omit<ToToolOptions, 'isChanged' | 'accept'> {
  readonly registry: ToolRegistry;
  readonly pins: Pins;
  readonly log: Log;
}

/** The tools of one server in the registry. They stay when the line falls, and answer for themselves. */
export interface ServerTools {
  publish(listed: ListedTools): void;
  withdraw(): void;
  names(): readonly string[];
  quarantined(): readonly QuarantinedTool[];
}

export function createServerTools(options: ServerToolsOptions): ServerTools {
  const { server, config, registry, pins, log } = options;
  const source = `mcp:${server}`;
  const toolOptions: ToToolOptions = {
    ...options,
    isChanged: (tool, fingerprint) => pins.isChanged(server, tool, fingerprint),
    accept: (tool, fingerprint) => pins.accept(server, tool, fingerprint),
  };
  /** By exposed name. */
  let present = new Map<string, ServerTool>();
  let unusable: QuarantinedTool[] = [];

  const read = ({ tools, warnings }: ListedTools): Map<string, ServerTool> => {
    for (const warning of warnings) log('warn', `MCP server ${server}: ${warning}`);
    const next = new Map<string, ServerTool>();
    unusable = [];
    for (const listed of tools) {
      try {
        const made = toTool(listed, toolOptions);
        if (next.has(made.tool.name))
          log('warn', `MCP server ${server} lists ${made.listedName} twice; the first stands`);
        else next.set(made.tool.name, made);
      } catch (error) {
        const fault = quarantined(listed, error);
        unusable.push(fault);
        log('warn', `MCP server ${server}: the tool ${JSON.stringify(fault.name)} is left out: ${fault.reason}`);
      }
    }
    return next;
  };

  return {
    publish(listed) {
      const next = read(listed);
      for (const [name, { fingerprint }] of present) {
        if (next.get(name)?.fingerprint !== fingerprint) registry.remove(name, { source });
      }
      for (const [name, made] of next) {
        const before = present.get(name);
        if (before?.fingerprint === made.fingerprint) {
          next.set(name, before);
          continue;
        }
        if (before !== undefined) {
          log('warn', `MCP server ${server} has changed the definition of ${made.listedName}`, { tool: name });
        }
        if (config.pinned) pins.see(server, made.listedName, made.fingerprint);
        try {
          registry.add(made.tool, { source });
        } catch (error) {
          next.delete(name);
          unusable.push({ name: made.listedName, reason: messageOf(error) });
        }
      }
      present = next;
    },
    withdraw() {
      for (const name of present.keys()) registry.remove(name, { source });
      present = new Map();
    },
    names: () => [...present.keys()].sort(),
    quarantined: () => unusable,
  };
}
