import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, type Log, type Model, messageOf, type NewId } from '../core/index.ts';
import { createMcp, type Mcp, type NamedServer, readPins, readServers } from '../mcp/index.ts';
import { exposedMcpName, type Registry } from '../registry/index.ts';
import { commandEnvironment, createProcessTree, TASK_VARIABLE } from '../sandbox/index.ts';
import { type Env, envSettings, hostEnv } from './env.ts';
import { secretValues } from './secrets.ts';
import type { Settings } from './settings.ts';
import { workingFolder } from './working-folder.ts';

export interface McpHost {
  readonly settings: Pick<Settings, 'home' | 'trust'>;
  readonly registry: Registry;
  readonly env: Env;
  readonly cwd: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly model: () => Promise<Model>;
  /** Names of the servers that are wanted; absent: all. */
  readonly only?: readonly string[];
}

export interface OpenMcp {
  readonly mcp: Mcp;
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

/** The servers that the home and the project name; nothing is waited for. Those of a project that is not trusted are only listed. */
export async function openMcp(host: McpHost): Promise<OpenMcp> {
  const { settings, env, cwd, clock, newId, log } = host;
  const { servers, warnings } = await configuredServers(host);
  const pins = await readPins(join(settings.home, 'mcp-pins.json'), log);
  const mcp = createMcp({
    registry: host.registry,
    servers,
    exposedName: exposedMcpName,
    secretsOf: secretValues,
    variables: env,
    cwd,
    clientInfo: { name: 'toolwright', version: await packageVersion() },
    processes: {
      environment: commandEnvironment(env),
      mark: TASK_VARIABLE,
      tree: (main) => createProcessTree({ ...main, clock }),
    },
    pins,
    authFolder: join(settings.home, 'mcp-auth'),
    fetch: host.fetch,
    clock,
    newId,
    log,
    model: host.model,
  });
  return {
    mcp,
    warnings,
    async close() {
      await mcp.close();
      await pins.saved();
    },
  };
}

/** The settings file that a server is written into: the home's, or that of the project. */
export async function mcpConfigPath(options: { cwd?: string; env?: Env }, isProject: boolean): Promise<string> {
  const cwd = await workingFolder(options.cwd ?? '.', process.cwd());
  if (isProject) return join(cwd, 'toolwright.json');
  const env = options.env ?? (await hostEnv(cwd)).env;
  return join(envSettings(env).home, 'toolwright.json');
}

async function configuredServers({ settings, env, cwd, only }: McpHost) {
  const { trusted } = settings.trust;
  const warnings: string[] = [];
  const read = async (path: string, isTrusted: boolean) => {
    try {
      const file = await readServers(path, env);
      warnings.push(...file.warnings);
      const wanted = file.servers.filter((server) => only?.includes(server.name) ?? true);
      return wanted.map((server) => ({ ...server, isTrusted }));
    } catch (error) {
      warnings.push(messageOf(error));
      return [];
    }
  };
  const own = settings.home === cwd ? [] : await read(join(settings.home, 'toolwright.json'), true);
  const project = [
    ...(await read(join(cwd, 'toolwright.json'), trusted)),
    ...(await read(join(cwd, '.mcp.json'), trusted)),
  ];
  // A project that nobody trusts does not take a name away from a server of the home.
  const servers: (NamedServer & { readonly isTrusted: boolean })[] = trusted
    ? [...project, ...own]
    : [...own, ...project];
  for (const { fault } of servers) if (fault !== undefined) warnings.push(`the server was left out: ${fault}`);
  const waiting = servers.filter((server) => !server.isTrusted && server.config?.disabled === false);
  if (waiting.length > 0) {
    warnings.push(
      `MCP servers of this project are not used, because the project is not trusted (--trust-project): ${waiting.map(({ name }) => name).join(', ')}`,
    );
  }
  return { servers, warnings };
}

async function packageVersion(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
