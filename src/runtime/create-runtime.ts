import { join } from 'node:path';
import {
  type AgentEvent,
  type Clock,
  type Hook,
  type Log,
  type Message,
  type Model,
  type NewId,
  randomId,
  type SessionRecord,
  type Store,
  systemClock,
  type Tool,
} from '../core/index.ts';
import { createExecutor, createMasker, type ExecutorLimits } from '../executor/index.ts';
import type { Mcp } from '../mcp/index.ts';
import { createRegistry, type Registry } from '../registry/index.ts';
import { type Env, hostEnv } from './env.ts';
import { openMcp } from './mcp-servers.ts';
import { createModels } from './models.ts';
import { openSession, type SandboxFactory, type SessionHost } from './open-session.ts';
import { passthroughSandbox } from './passthrough.ts';
import { conversationOf } from './recover.ts';
import { secretValues } from './secrets.ts';
import type { Session } from './session.ts';
import type { SessionOptions } from './session-options.ts';
import { readSettings, type Settings } from './settings.ts';
import { addTools, type PresetName } from './tool-sources.ts';
import { workingFolder } from './working-folder.ts';

export interface RuntimeOptions {
  /** Default: the process's working folder. */
  readonly cwd?: string;
  /** Variables instead of the process's own and those of `.env`. */
  readonly env?: Env;
  /** Use the skills, hooks and MCP servers that the working folder's own files name. Default: as the person once said. */
  readonly trustProject?: boolean;
  /** Which built-in tools there are. Default `standard`. */
  readonly preset?: PresetName;
  /** More tools; one with the name of a built-in tool takes its place. */
  readonly tools?: readonly Tool[];
  /** Folders whose modules export tools. */
  readonly toolsDirs?: readonly string[];
  /** Of the configured MCP servers only these. Default: all. */
  readonly mcpServers?: readonly string[];
  readonly model?: string | Model;
  readonly fallbackModel?: string | Model;
  readonly hooks?: readonly Hook[];
  readonly limits?: Partial<ExecutorLimits>;
  /** Default: the database in the home folder, opened when it is first needed. */
  readonly store?: Store;
  readonly sandbox?: SandboxFactory;
  readonly fetch?: typeof globalThis.fetch;
  readonly clock?: Clock;
  readonly newId?: NewId;
  readonly log?: Log;
}

/** The one place where everything meets. */
export interface Runtime {
  readonly registry: Registry;
  readonly settings: Settings;
  /** MCP servers, connected in the background; their tools stand in the registry when they are up. */
  readonly mcp: Mcp;
  /** What was found odd and passed over, one line each. */
  readonly warnings: readonly string[];
  /** The model of that name, or the one that is set; nothing is sent. */
  model(spec?: string): Promise<Model>;
  session(options?: SessionOptions): Promise<Session>;
  readonly sessions: {
    /** Newest first. */
    list(options?: { limit?: number; before?: number }): Promise<readonly SessionRecord[]>;
    get(id: string): Promise<SessionRecord | undefined>;
    messages(id: string): Promise<readonly Message[]>;
    /** The kept events, in order. */
    events(id: string): Promise<readonly AgentEvent[]>;
  };
  /** Ends every session, within seconds, and closes the store that it opened itself. */
  close(): Promise<void>;
}

export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const { clock = systemClock, newId = randomId } = options;
  const cwd = await workingFolder(options.cwd ?? '.', process.cwd());
  const { env, warnings: envWarnings } = options.env ? { env: options.env, warnings: [] } : await hostEnv(cwd);
  const settings = await readSettings(cwd, env, options.trustProject);
  const log: Log = options.log ?? (() => {});
  const registry = createRegistry();
  const warnings = [...envWarnings, ...settings.warnings, ...(await addTools(registry, { ...options, settings }))];
  const open = new Set<Session>();
  let opened: Promise<Store> | undefined;
  const store = async (): Promise<Store> => {
    if (options.store !== undefined) return options.store;
    opened ??= import('../store/index.ts').then((room) =>
      room.openSqliteStore({ path: join(settings.home, 'toolwright.db'), clock }),
    );
    return opened;
  };
  const models = createModels({
    settings,
    chosen: options,
    env,
    cwd,
    clock,
    sessions: async () => (await store()).sessions,
  });
  const servers = await openMcp({
    settings,
    registry,
    env,
    cwd,
    fetch: options.fetch ?? globalThis.fetch,
    clock,
    newId,
    log,
    model: () => models.model(undefined),
    ...(options.mcpServers === undefined ? {} : { only: options.mcpServers }),
  });
  warnings.push(...servers.warnings);
  let host: Promise<SessionHost> | undefined;
  const prepareHost = async (): Promise<SessionHost> => ({
    cwd,
    settings,
    registry,
    pendingServers: servers.mcp.pending,
    store: await store(),
    executor: createExecutor({ clock, newId, limits: { ...settings.limits, ...options.limits } }),
    masker: createMasker({ values: secretValues(env) }),
    clock,
    newId,
    owner: newId(),
    log,
    hooks: options.hooks ?? [],
    sandbox: options.sandbox ?? passthroughSandbox(env),
    fetch: options.fetch ?? globalThis.fetch,
    ...models,
    runLoop: (await import('../agent/index.ts')).runLoop,
  });

  return {
    registry,
    settings,
    mcp: servers.mcp,
    warnings,
    model: models.model,
    async session(sessionOptions = {}) {
      host ??= prepareHost();
      const session = await openSession(await host, sessionOptions, (closed) => open.delete(closed));
      open.add(session);
      return session;
    },
    sessions: {
      list: async (range) => (await store()).sessions.list(range),
      get: async (id) => (await store()).sessions.get(id),
      messages: async (id) => {
        const stored = await (await store()).sessions.messages(id);
        return conversationOf(stored).map((entry) => entry.message);
      },
      events: async (id) => (await store()).sessions.events(id),
    },
    async close() {
      await Promise.all([...open].map((session) => session.close()));
      await servers.close();
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}
