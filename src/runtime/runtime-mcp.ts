import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, isObject, type Log, messageOf, ToolwrightError } from '../core/index.ts';
import type { McpServerDefinition, McpServerEntry, McpServerInfo, McpServers } from '../mcp/index.ts';
import { exposedMcpName, mcpServerPrefix, type Registry } from '../registry/index.ts';
import { commandEnvironment, createProcessTree } from '../sandbox/index.ts';
import { makeFolder, safeFileName } from '../store/index.ts';
import type { Env } from './env.ts';
import type { McpSource } from './mcp-source.ts';
import { packageVersion } from './package-version.ts';
import type { Settings } from './settings.ts';

/** The MCP servers of a runtime, which bring their tools into its registry. */
export interface RuntimeMcp {
  /** From an entry as `mcpServers` has it, or a server of this process. Reached in the background. */
  add(name: string, server: McpServerEntry | McpServerDefinition): Promise<void>;
  remove(name: string): Promise<boolean>;
  list(): Promise<readonly McpServerInfo[]>;
  refresh(name: string): Promise<boolean>;
  /** True when it has answered within five seconds. */
  probe(name: string): Promise<boolean>;
  /** Resolves when each server has been tried, within its connect timeout. */
  tried(name?: string): Promise<void>;
  /** What is wrong with entries of the settings, and whose servers wait for trust; one line each. */
  problems(): Promise<readonly string[]>;
}

/** For the rooms beside: what a session needs to know of it. */
export interface McpHost {
  readonly api: RuntimeMcp;
  /** Servers that have not been tried yet; starts them when nobody has. */
  start(): Promise<{ pending(): readonly string[] }>;
  /** Waits for what is worth waiting for before a model is asked. */
  settled(signal: AbortSignal): Promise<void>;
  /** Waits for the server of a tool that is not there yet. */
  readyFor(toolName: string): Promise<void>;
  close(): Promise<void>;
}

export interface McpHostOptions {
  readonly settings: Pick<Settings, 'mcpSources' | 'trust' | 'home'>;
  readonly cwd: string;
  readonly env: Env;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly log: Log;
}

const PRIORITY = 5;

/** Nothing of it is loaded or started before somebody asks for a session or for the servers. */
export function createMcpHost(options: McpHostOptions): McpHost {
  const { settings, cwd, env, registry, clock, log } = options;
  const problems: string[] = [];
  let started: Promise<Started> | undefined;
  const hasServers = settings.mcpSources.length > 0;

  const open = async (): Promise<Started> => {
    const room = await import('../mcp/index.ts');
    const guard = room.createOrphanGuard();
    const servers = room.createMcpServers({
      clock,
      log,
      version: await packageVersion(),
      exposedName: exposedMcpName,
      environment: (extra) => commandEnvironment(env, extra),
      tree: (tree) => createProcessTree({ ...tree, clock }),
      guard: guard.guard,
      newTaskId: () => `mcp_${randomBytes(6).toString('hex')}`,
      roots: [cwd],
      tools: {
        add: (tool, source) => registry.add(tool, { source, priority: PRIORITY }),
        replace: (tool, source) => registry.replace(tool, { source }),
        remove: (name, source) => void registry.remove(name, { source }),
      },
      pins: pinFiles(join(settings.home, 'mcp-pins')),
    });
    const seen = new Set<string>();
    for (const source of settings.mcpSources) {
      const read = room.readServers(source.servers, { ...source, env });
      problems.push(...read.problems);
      for (const server of read.servers) {
        if (seen.has(server.name)) continue;
        seen.add(server.name);
        if (source.isProject && !settings.trust.trusted) problems.push(untrusted(server.name, source));
        else await servers.add(server);
      }
    }
    return { servers, readServer: room.readServer, end: () => servers.close().finally(guard.close) };
  };
  const start = () => {
    started ??= open();
    return started;
  };
  const api: RuntimeMcp = {
    async add(name, server) {
      const { servers, readServer } = await start();
      await servers.add(
        isDefinition(server) ? inProcess(name, server) : readServer(name, server, runtimeSource(cwd, env)),
      );
    },
    remove: async (name) => (await start()).servers.remove(name),
    list: async () => (await start()).servers.list(),
    refresh: async (name) => (await start()).servers.refresh(name),
    probe: async (name) => (await start()).servers.probe(name),
    tried: async (name) => (await start()).servers.tried(name),
    async problems() {
      if (hasServers) await start();
      return problems;
    },
  };
  return {
    api,
    async start() {
      if (!hasServers && started === undefined) return { pending: () => [] };
      return (await start()).servers;
    },
    async settled(signal) {
      if (started !== undefined) await (await started).servers.settled(signal);
    },
    async readyFor(toolName) {
      if (!toolName.startsWith('mcp__') || registry.get(toolName) !== undefined || started === undefined) return;
      const { servers } = await started;
      const server = servers.pending().find((name) => toolName.startsWith(mcpServerPrefix(name)));
      if (server !== undefined) await servers.tried(server);
    },
    async close() {
      await (await started?.catch(() => undefined))?.end();
    },
  };
}

interface Started {
  readonly servers: McpServers;
  readonly readServer: typeof import('../mcp/index.ts').readServer;
  end(): Promise<void>;
}

const runtimeSource = (cwd: string, env: Env) => ({ file: 'runtime', folder: cwd, env });

function isDefinition(server: McpServerEntry | McpServerDefinition): server is McpServerDefinition {
  return 'tools' in server && Array.isArray(server.tools);
}

function inProcess(name: string, server: McpServerDefinition) {
  const { connect, list, call } = { connect: 20_000, list: 60_000, call: 1_800_000 };
  return {
    name,
    source: 'runtime',
    endpoint: { kind: 'in-process' as const, server },
    trusted: true,
    parallel: true,
    pinned: false,
    timeouts: { connect, list, call, idle: call },
    toolTimeouts: {},
  };
}

function untrusted(name: string, { file }: McpSource): string {
  return `the MCP server ${name} of ${file} is not used: this folder is not trusted (--trust-project uses it)`;
}

/** What tools of pinned servers were, a file each. */
function pinFiles(folder: string) {
  const path = (server: string) => join(folder, `${safeFileName(server)}.json`);
  return {
    async read(server: string): Promise<Record<string, string>> {
      try {
        const value: unknown = JSON.parse(await readFile(path(server), 'utf8'));
        return isObject(value) ? (value as Record<string, string>) : {};
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
        throw new ToolwrightError(
          'unavailable',
          `what is known of the MCP server ${server} cannot be read: ${messageOf(error)}`,
          {
            hint: `Mend ${path(server)}, or remove it to take the tools as they are now.`,
          },
        );
      }
    },
    async write(server: string, pins: Readonly<Record<string, string>>): Promise<void> {
      makeFolder(folder);
      const temp = `${path(server)}.${randomBytes(4).toString('hex')}`;
      await writeFile(temp, `${JSON.stringify(pins, null, 2)}\n`, { mode: 0o600 });
      await rename(temp, path(server));
    },
  };
}
