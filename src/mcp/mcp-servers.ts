import { pathToFileURL } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { type AskPower, messageOf, type Timer, type Tool } from '../core/index.ts';
import type { McpServerConfig } from './config/server-config.ts';
import type { RemoteTool, ToolList } from './line/list-tools.ts';
import type { LinePorts } from './line/open-line.ts';
import { createSupervisedLine, type LineState, type SupervisedLine } from './line/supervised-line.ts';
import { elicit } from './tool/from-form.ts';
import { fingerprintOf, toTool } from './tool/to-tool.ts';

/** What the room is given of the house. */
export interface McpPorts extends LinePorts {
  exposedName(server: string, tool: string): string;
  /** Where tools go: under the source `mcp:<server>`. */
  readonly tools: {
    add(tool: Tool, source: string): void;
    replace(tool: Tool, source: string): void;
    remove(name: string, source: string): void;
  };
  /** Folders that servers are told of as roots. */
  readonly roots: readonly string[];
  /** What tools of pinned servers were when they were first seen. */
  readonly pins: {
    read(server: string): Promise<Readonly<Record<string, string>>>;
    write(server: string, pins: Readonly<Record<string, string>>): Promise<void>;
  };
}

/** After one server has come up, the others get this much longer. */
const MOMENT_MS = 200;
const LONG_ENOUGH_MS = 3_000;

export interface McpServerInfo extends LineState {
  readonly name: string;
  readonly source: string;
  readonly kind: string;
  readonly trusted: boolean;
  /** Exposed name -> the server's own. */
  readonly toolNames: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

export interface McpServers {
  /** Reaches it in the background. A server of the same name is ended first. */
  add(config: McpServerConfig): Promise<void>;
  /** False when there is none. Its tools go with it. */
  remove(name: string): Promise<boolean>;
  list(): readonly McpServerInfo[];
  /** Names of servers whose first attempt has not come to its end. */
  pending(): readonly string[];
  /** Resolves when each server has been tried, within the connect timeout; with a name, when that one has. */
  tried(name?: string): Promise<void>;
  /**
   * Resolves when there is nothing left that is worth waiting for: all have been tried, or none has come up for a
   * moment after another did, or it has taken long enough.
   */
  settled(signal: AbortSignal): Promise<void>;
  refresh(name: string): Promise<boolean>;
  probe(name: string): Promise<boolean>;
  close(): Promise<void>;
}

interface Entry {
  readonly config: McpServerConfig;
  readonly line: SupervisedLine;
  readonly tools: Map<string, { readonly own: string; readonly print: string }>;
  warnings: readonly string[];
  isTried: boolean;
}

/** All servers of a runtime, each on a line of its own; what one does never holds up another. */
export function createMcpServers(ports: McpPorts): McpServers {
  const entries = new Map<string, Entry>();
  const watchers = new Set<(entry: Entry) => void>();

  const sourceOf = ({ name }: McpServerConfig) => `mcp:${name}`;

  const start = async (config: McpServerConfig): Promise<Entry> => {
    const pins = config.pinned ? { ...(await ports.pins.read(config.name)) } : undefined;
    /** The calls under way that somebody can be asked for, newest last. */
    const asking: AskPower[] = [];
    const during = (ask: AskPower | undefined) => {
      if (ask === undefined) return () => {};
      asking.push(ask);
      return () => void asking.splice(asking.lastIndexOf(ask), 1);
    };
    const tools: Entry['tools'] = new Map();
    const source = sourceOf(config);

    const put = (remote: RemoteTool, exposed: string, warnings: string[]): void => {
      const print = fingerprintOf(remote);
      const known = tools.get(exposed);
      if (known?.print === print) return;
      const tool = toTool(remote, {
        config,
        line,
        exposed,
        during,
        changed: () => pins !== undefined && pins[remote.name] !== print,
      });
      try {
        if (known === undefined) ports.tools.add(tool, source);
        else ports.tools.replace(tool, source);
        tools.set(exposed, { own: remote.name, print });
      } catch (error) {
        warnings.push(`the tool ${remote.name} was left out: ${messageOf(error)}`);
        return;
      }
      if (known !== undefined)
        ports.log('warn', `the MCP server ${config.name} says something else about ${remote.name} now`);
      if (pins !== undefined && pins[remote.name] === undefined) pins[remote.name] = print;
    };
    const onTools = (list: ToolList): void => {
      const warnings = [...list.warnings];
      const now = new Map(list.tools.map((remote) => [ports.exposedName(config.name, remote.name), remote]));
      for (const [exposed] of tools) {
        if (now.has(exposed)) continue;
        ports.tools.remove(exposed, source);
        tools.delete(exposed);
      }
      for (const [exposed, remote] of now) put(remote, exposed, warnings);
      entry.warnings = warnings;
      for (const warning of warnings) ports.log('warn', `the MCP server ${config.name}: ${warning}`);
      if (pins !== undefined) void ports.pins.write(config.name, pins).catch(() => {});
    };
    const prepare = (client: Client): void => {
      client.setRequestHandler('elicitation/create', ({ params }) => elicit(params, asking.at(-1)));
      client.setRequestHandler('roots/list', () => ({
        roots: ports.roots.map((path) => ({ uri: pathToFileURL(path).href, name: path })),
      }));
      client.setNotificationHandler('notifications/message', ({ params }) => {
        const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
        ports.log('debug', `the MCP server ${config.name} says: ${String(text).slice(0, 1_000)}`, {
          level: params.level,
        });
      });
    };
    const line = createSupervisedLine({ config, ports, prepare, onTools });
    const entry: Entry = { config, line, tools, warnings: [], isTried: false };
    void line.tried.then(() => {
      entry.isTried = true;
      for (const look of [...watchers]) look(entry);
    });
    return entry;
  };
  const end = async (entry: Entry): Promise<void> => {
    for (const exposed of entry.tools.keys()) ports.tools.remove(exposed, sourceOf(entry.config));
    await entry.line.close();
    const { endpoint } = entry.config;
    if (endpoint.kind === 'in-process') await endpoint.server.close?.();
  };

  return {
    async add(config) {
      const before = entries.get(config.name);
      entries.delete(config.name);
      if (before !== undefined) await end(before);
      entries.set(config.name, await start(config));
    },
    async remove(name) {
      const entry = entries.get(name);
      if (entry === undefined) return false;
      entries.delete(name);
      await end(entry);
      return true;
    },
    list: () =>
      [...entries.values()].map(({ config, line, tools, warnings }) => ({
        name: config.name,
        source: config.source,
        kind: config.endpoint.kind,
        trusted: config.trusted,
        ...line.state,
        toolNames: Object.fromEntries([...tools].map(([exposed, { own }]) => [exposed, own])),
        warnings,
      })),
    pending: () => [...entries.values()].filter((entry) => !entry.isTried).map(({ config }) => config.name),
    async tried(name) {
      const wanted = [...entries.values()].filter((entry) => name === undefined || entry.config.name === name);
      await Promise.all(wanted.map((entry) => entry.line.tried));
    },
    settled(signal) {
      if ([...entries.values()].every((entry) => entry.isTried)) return Promise.resolve();
      return new Promise((resolve) => {
        let moment: Timer | undefined;
        const done = () => {
          for (const timer of [moment, longest]) if (timer) ports.clock.clear(timer);
          signal.removeEventListener('abort', done);
          watchers.delete(look);
          resolve();
        };
        const look = (entry?: Entry) => {
          if ([...entries.values()].every((each) => each.isTried)) return done();
          if (entry?.line.state.status !== 'ready') return;
          if (moment) ports.clock.clear(moment);
          moment = ports.clock.after(MOMENT_MS, done);
        };
        const longest = ports.clock.after(LONG_ENOUGH_MS, done);
        signal.addEventListener('abort', done, { once: true });
        watchers.add(look);
        for (const entry of entries.values()) if (entry.isTried) look(entry);
      });
    },
    async refresh(name) {
      const entry = entries.get(name);
      await entry?.line.refresh();
      return entry !== undefined;
    },
    async probe(name) {
      return (await entries.get(name)?.line.probe()) ?? false;
    },
    async close() {
      const all = [...entries.values()];
      entries.clear();
      await Promise.all(all.map(end));
    },
  };
}
