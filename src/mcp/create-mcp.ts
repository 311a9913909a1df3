import type { Clock, Log, Model, NewId, Timer } from '../core/index.ts';
import { isToolwrightError, messageOf, ToolwrightError } from '../core/index.ts';
import { logIn } from './auth/log-in.ts';
import { createOAuthProvider } from './auth/oauth-provider.ts';
import { createTokenStore } from './auth/token-store.ts';
import type { Variables } from './config/expand-variables.ts';
import type { NamedServer } from './config/read-servers.ts';
import { readServerConfig, type ServerConfig, type ServerEntry, type UrlTarget } from './config/server-config.ts';
import type { McpServerDefinition } from './in-process/define-mcp-server.ts';
import { openInProcess } from './in-process/open-in-process.ts';
import type { LineStatus } from './line/server-line.ts';
import { createServerLine, type ServerLine } from './line/server-line.ts';
import { answerServer, capabilities } from './line/server-requests.ts';
import { createUrlTransport } from './line/url-transport.ts';
import type { Pins } from './pins.ts';
import { createRedactor } from './redact.ts';
import { createServerTools, type ServerTools, type ToolRegistry } from './server-tools.ts';
import { createGuardian } from './stdio/guardian.ts';
import { type ProcessHost, startServer } from './stdio/server-process.ts';
import { createStdioTransport } from './stdio/stdio-transport.ts';
import type { QuarantinedTool } from './tool/to-tool.ts';

export type ServerState = LineStatus['state'] | 'disabled' | 'untrusted' | 'invalid';

/** A server as people are shown it. No value of its variables or headers is in it. */
export interface ServerInfo {
  readonly name: string;
  /** The file that names it; `runtime` when it was added by code. */
  readonly source: string;
  readonly state: ServerState;
  readonly reason?: string;
  readonly transport?: 'stdio' | 'http' | 'sse' | 'in-process';
  /** The command and its arguments, or the address without its query. */
  readonly target?: string;
  /** Exposed names of its tools. */
  readonly tools: readonly string[];
  readonly quarantined: readonly QuarantinedTool[];
  readonly trusted: boolean;
  readonly connectMs?: number;
  readonly protocolVersion?: string;
  readonly serverInfo?: { readonly name?: string; readonly version?: string };
}

export interface Mcp {
  /** Connects a server and brings its tools in; resolves with the first outcome. `conflict` when the name is taken. */
  add(name: string, entry: ServerEntry | McpServerDefinition): Promise<ServerInfo>;
  remove(name: string): Promise<boolean>;
  list(): readonly ServerInfo[];
  /** One of them; `not_found`. */
  find(name: string): ServerInfo;
  /** Reads the tools of a server again, or of all that run; connects those that are down. */
  refresh(name?: string): Promise<void>;
  /** Milliseconds to a sign of life; `not_found`, `unavailable`. */
  ping(name: string): Promise<number>;
  /** OAuth login at a server; `onUrl` is given the address for the browser. Connects it afterwards. */
  logIn(name: string, onUrl: (url: URL) => void): Promise<ServerInfo>;
  /** Servers whose first outcome is still to come. */
  pending(): readonly string[];
  /** Resolves when every server has had its first outcome. */
  settled(): Promise<void>;
  /**
   * Resolves when nothing is left that a prompt should wait for: every server has had its outcome, or for a moment
   * none has come up any more, or it has taken long enough. Those that come up later join then.
   */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface McpOptions {
  readonly registry: ToolRegistry;
  readonly servers: readonly (NamedServer & { readonly isTrusted: boolean })[];
  readonly exposedName: (server: string, tool: string) => string;
  readonly secretsOf: (variables: Readonly<Record<string, string>>) => readonly string[];
  readonly variables: Variables;
  /** The runtime's folder: where relative paths of servers added by code start, and the root they are told. */
  readonly cwd: string;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly processes: ProcessHost;
  readonly pins: Pins;
  /** Folder of the tokens of OAuth logins. */
  readonly authFolder: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  /** The runtime's model, for servers that may ask for its replies. */
  readonly model: () => Promise<Model>;
}

/** After one server has come up, the others get this much longer. */
const MOMENT_MS = 200;
/** A prompt waits no longer than this. */
const PATIENCE_MS = 5_000;

interface Entry {
  readonly server: NamedServer;
  readonly state?: ServerState;
  readonly line?: ServerLine;
  readonly tools?: ServerTools;
  isSettled: boolean;
}

/** All servers of a runtime: their lines stand side by side, and none waits for another. */
export function createMcp(options: McpOptions): Mcp {
  const { clock, newId, log } = options;
  const guardian = createGuardian(options.processes.environment['PATH'] ?? '/usr/bin:/bin');
  const entries = new Map<string, Entry>();
  let closed = false;

  for (const server of options.servers) {
    if (entries.has(server.name)) continue;
    if (server.config === undefined) put(server, 'invalid');
    else if (server.config.disabled) put(server, 'disabled');
    else if (!server.isTrusted) put(server, 'untrusted');
    else open(server, server.config);
  }

  function put(server: NamedServer, state: ServerState): void {
    entries.set(server.name, { server, state, isSettled: true });
  }

  function open(server: NamedServer, config: ServerConfig): Entry {
    const { name } = server;
    const redact = createRedactor(config, options.secretsOf);
    const serverLog: Log = (level, message, data) => {
      const said =
        data === undefined ? undefined : (JSON.parse(redact(JSON.stringify(data))) as Record<string, unknown>);
      log(level, redact(message), { server: name, ...said });
    };
    const tools = createServerTools({
      server: name,
      config,
      registry: options.registry,
      exposedName: options.exposedName,
      pins: options.pins,
      log: serverLog,
      line: () => line,
    });
    const line: ServerLine = redacted(
      createServerLine({
        name,
        config,
        clock,
        log: serverLog,
        clientInfo: options.clientInfo,
        capabilities: capabilities(config.sampling),
        prepare: (client, running) =>
          answerServer(client, running, {
            server: name,
            roots: [options.cwd],
            log: serverLog,
            newId,
            ...(config.sampling ? { model: options.model } : {}),
          }),
        onTools: tools.publish,
        openTransport: async (kind) => {
          const { target } = config;
          if (target.kind === 'in-process') return openInProcess(target.server);
          if (target.kind === 'stdio') {
            const start = () => startServer({ id: newId(), target, host: options.processes, guardian, clock });
            return createStdioTransport(start, serverLog);
          }
          const authProvider = await loggedIn(name, target);
          return createUrlTransport({
            target,
            kind: kind === 'sse' ? 'sse' : 'http',
            fetch: options.fetch,
            ...(authProvider === undefined ? {} : { authProvider }),
          });
        },
      }),
      redact,
    );
    const entry: Entry = { server, line, tools, isSettled: false };
    entries.set(name, entry);
    void line.settled.then(() => {
      entry.isSettled = true;
    });
    return entry;
  }

  /** Only who has tokens already is asked for them: nothing is begun that a person would have to end. */
  async function loggedIn(name: string, target: UrlTarget) {
    const store = createTokenStore(options.authFolder, name, target.url);
    if ((await store.read()).tokens === undefined) return undefined;
    return createOAuthProvider({ oauth: target.oauth, store, redirectUrl: 'http://127.0.0.1/callback', state: '' });
  }

  const known = (name: string): Entry => {
    const entry = entries.get(name);
    if (entry !== undefined) return entry;
    throw new ToolwrightError('not_found', `there is no MCP server ${name}`, {
      hint: `Known servers: ${[...entries.keys()].join(', ') || 'none'}.`,
    });
  };
  const running = (name: string): ServerLine => {
    const entry = known(name);
    if (entry.line !== undefined) return entry.line;
    throw new ToolwrightError('unavailable', `the MCP server ${name} is ${entry.state}`, {
      hint: entry.state === 'untrusted' ? 'Trust the project first.' : 'Correct its settings.',
    });
  };
  const remove = async (name: string) => {
    const entry = entries.get(name);
    if (entry === undefined) return false;
    entries.delete(name);
    entry.tools?.withdraw();
    await entry.line?.close();
    const target = entry.server.config?.target;
    if (target?.kind === 'in-process') await target.server.close?.();
    return true;
  };

  return {
    async add(name, entry) {
      if (closed) throw new ToolwrightError('conflict', 'the runtime is closed');
      if (name.trim() === '') throw new ToolwrightError('invalid_request', 'the name of the server is empty');
      if (entries.has(name)) {
        throw new ToolwrightError('conflict', `there is an MCP server ${name} already`, { hint: 'Remove it first.' });
      }
      const config = configOf(entry, options);
      const made = open({ name, source: 'runtime', config }, config);
      await made.line?.settled;
      return infoOf(made);
    },
    remove,
    list: () => [...entries.values()].map(infoOf),
    find: (name) => infoOf(known(name)),
    async refresh(name) {
      if (name !== undefined) return running(name).refresh();
      await Promise.all([...entries.values()].map((entry) => entry.line?.refresh().catch(() => {})));
    },
    ping: (name) => running(name).ping(),
    async logIn(name, onUrl) {
      const line = running(name);
      const entry = known(name);
      const target = entry.server.config?.target;
      if (target === undefined || target.kind === 'stdio' || target.kind === 'in-process') {
        throw new ToolwrightError('invalid_request', `the MCP server ${name} is started here and asks for no login`);
      }
      const store = createTokenStore(options.authFolder, name, target.url);
      await logIn({ server: name, target, store, fetch: options.fetch, clock, onUrl });
      await line.refresh();
      return infoOf(entry);
    },
    pending: () => [...entries.values()].filter((entry) => !entry.isSettled).map((entry) => entry.server.name),
    async settled() {
      await Promise.all([...entries.values()].map((entry) => entry.line?.settled));
    },
    ready: () => whenReady([...entries.values()], clock),
    async close() {
      closed = true;
      await Promise.all([...entries.keys()].map(remove));
      guardian.close();
    },
  };
}

function whenReady(entries: readonly Entry[], clock: Clock): Promise<void> {
  const waiting = entries.filter((entry) => !entry.isSettled);
  if (waiting.length === 0) return Promise.resolve();
  return new Promise((resolve) => {
    let left = waiting.length;
    let moment: Timer | undefined;
    const done = () => {
      if (moment) clock.clear(moment);
      clock.clear(patience);
      resolve();
    };
    const cameUp = () => {
      if (moment) clock.clear(moment);
      moment = clock.after(MOMENT_MS, done);
    };
    const patience = clock.after(PATIENCE_MS, done);
    if (entries.some((entry) => entry.isSettled && entry.line?.status.state === 'ready')) cameUp();
    for (const { line } of waiting) {
      void line?.settled.then(() => {
        left--;
        if (left === 0) done();
        else if (line.status.state === 'ready') cameUp();
      });
    }
  });
}

/** The line with its server's secrets taken out of what it says. */
function redacted(line: ServerLine, redact: (text: string) => string): ServerLine {
  const guard = <Value>(work: Promise<Value>): Promise<Value> =>
    work.catch((error: unknown) => {
      if (error instanceof Error && !(isToolwrightError(error) && error.message === redact(error.message))) {
        error.message = redact(messageOf(error));
      }
      throw error;
    });
  return {
    settled: line.settled,
    get status() {
      const { status } = line;
      return status.reason === undefined ? status : { ...status, reason: redact(status.reason) };
    },
    call: (parts) => guard(line.call(parts)),
    refresh: () => guard(line.refresh()),
    ping: () => guard(line.ping()),
    close: () => line.close(),
  };
}

function infoOf({ server, state, line, tools }: Entry): ServerInfo {
  const { name, source, config, fault } = server;
  const status = line?.status;
  const reason = fault ?? status?.reason;
  const { connectMs, protocolVersion, serverInfo } = status ?? {};
  return {
    name,
    source,
    state: state ?? status?.state ?? 'closed',
    ...(reason === undefined ? {} : { reason }),
    ...(config === undefined ? {} : { transport: config.target.kind, target: targetOf(config) }),
    tools: tools?.names() ?? [],
    quarantined: tools?.quarantined() ?? [],
    trusted: config?.trusted ?? false,
    ...(connectMs === undefined ? {} : { connectMs }),
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
    ...(serverInfo === undefined ? {} : { serverInfo }),
  };
}

/** A server of this process is part of the program, so it is believed, and its calls run side by side. */
function configOf(
  entry: ServerEntry | McpServerDefinition,
  { cwd, variables }: Pick<McpOptions, 'cwd' | 'variables'>,
): ServerConfig {
  if (!('tools' in entry)) return readServerConfig(entry, cwd, variables);
  const config = readServerConfig({ command: 'in-process', trusted: true, parallel: true }, cwd, variables);
  return { ...config, target: { kind: 'in-process', server: entry } };
}

function targetOf({ target }: ServerConfig): string {
  if (target.kind === 'in-process') return 'this process';
  if (target.kind === 'stdio') return target.command;
  return `${target.url.origin}${target.url.pathname}`;
}
