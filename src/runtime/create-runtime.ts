import { join, resolve } from 'node:path';
import {
  type AgentEvent,
  type Clock,
  type Hook,
  type Log,
  type Message,
  type Model,
  type NewId,
  randomId,
  systemClock,
  type Tool,
} from '../core/index.ts';
import { createExecutor, createMasker, type ExecutorLimits } from '../executor/index.ts';
import type { Mcp } from '../mcp/index.ts';
import { createShellReader } from '../policy/index.ts';
import { createRegistry, type Registry } from '../registry/index.ts';
import { commandEnvironment } from '../sandbox/index.ts';
import type { AuditVerdict, HouseStore, KeptAuditRow, SessionRecord } from '../store/index.ts';
import { type Asks, createAsks } from './asks.ts';
import { createAuditLog } from './audit-log.ts';
import { createSandboxFor } from './create-sandbox-for.ts';
import { type Env, hostEnv } from './env.ts';
import { keepRule } from './keep-rule.ts';
import { openMcp } from './mcp-servers.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createModels } from './models.ts';
import { openSession, type SandboxFactory, type SessionHost } from './open-session.ts';
import { hostSearcher } from './passthrough.ts';
import { conversationOf } from './recover.ts';
import { type PolicyReplay, replayPolicy } from './replay-policy.ts';
import { readRulesFile } from './rules-file.ts';
import { createRunCommand } from './run-command.ts';
import type { SandboxSettings } from './sandbox-schema.ts';
import { secretValues } from './secrets.ts';
import type { Session } from './session.ts';
import { sessionEnvironment } from './session-environment.ts';
import type { SessionOptions } from './session-options.ts';
import { sessionPolicy } from './session-policy.ts';
import { readSettings, type Settings } from './settings.ts';
import { createRuntimeSkills, type RuntimeSkills } from './skills.ts';
import { createTasks, type Tasks } from './tasks.ts';
import { openTelemetry } from './telemetry.ts';
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
  readonly store?: HouseStore;
  /** A kind in place of that of the settings, or one of your own. */
  readonly sandbox?: SandboxSettings['kind'] | SandboxFactory;
  readonly fetch?: typeof globalThis.fetch;
  readonly clock?: Clock;
  readonly newId?: NewId;
  readonly log?: Log;
}

/** The one place where everything meets. */
export interface Runtime {
  readonly registry: Registry;
  readonly skills: RuntimeSkills;
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
  /** Judges all kept calls again by the rules of a file. */
  replayPolicy(rulesFile: string): Promise<PolicyReplay>;
  /** Who decided what, and what came of it. */
  readonly audit: {
    /** In order; the newest `limit` of them. */
    list(options?: { session?: string; limit?: number }): Promise<readonly KeptAuditRow[]>;
    /** Whether every row is as it was written, and where not. */
    verify(): Promise<AuditVerdict>;
  };
  /** Counts, durations, errors, tokens and known cost of all sessions since the runtime was made. */
  metrics(): Metrics;
  /** Questions to the person that wait, of all sessions and processes of this home. */
  readonly asks: Asks;
  /** Background tasks of all sessions and processes of this home. */
  readonly tasks: Tasks;
  /** Ends every session, within seconds, and closes the store that it opened itself. */
  close(): Promise<void>;
}

export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const { clock = systemClock, newId = randomId } = options;
  const cwd = await workingFolder(options.cwd ?? '.', process.cwd());
  const { env, warnings: envWarnings } = options.env ? { env: options.env, warnings: [] } : await hostEnv(cwd);
  const settings = await readSettings(
    cwd,
    env,
    options.trustProject,
    typeof options.sandbox === 'string' ? options.sandbox : undefined,
  );
  const log: Log = options.log ?? (() => {});
  const registry = createRegistry();
  const warnings = [...envWarnings, ...settings.warnings, ...(await addTools(registry, { ...options, settings }))];
  const skills = createRuntimeSkills(cwd, settings, clock, newId);
  const open = new Set<Session>();
  let opened: Promise<HouseStore> | undefined;
  const store = async (): Promise<HouseStore> => {
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
  const readShell = createShellReader(clock);
  const canonicalName = (name: string) => registry.canonical(name) ?? name;
  const masker = createMasker({ values: secretValues(env, settings.secrets) });
  const metrics = createMetrics(settings.prices);
  const asks = createAsks({
    store: async () => (await store()).asks,
    clock,
    keepRule: async (rule, place, ask) => {
      if (place === 'home') return keepRule(settings.home, rule, clock);
      const folder = (await (await store()).sessions.get(ask.sessionId))?.metadata['cwd'];
      return keepRule(typeof folder === 'string' ? folder : cwd, rule, clock);
    },
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
    skills,
    servers: servers.mcp,
    store: await store(),
    audit: createAuditLog({ store: (await store()).audit, clock, log }),
    executor: createExecutor({
      clock,
      newId,
      limits: { ...settings.limits, ...options.limits },
      readShell,
    }),
    readShell,
    environment: (entries) => sessionEnvironment({ env, settings, masker }, entries),
    observe: [metrics.observe, ...(await openTelemetry({ env, now: clock.now }))],
    clock,
    newId,
    owner: newId(),
    log,
    hooks: options.hooks ?? [],
    asks,
    runCommand: (folder) =>
      createRunCommand({ cwd: folder, env: { ...commandEnvironment(env), CLAUDE_PROJECT_DIR: folder }, clock }),
    sandbox: typeof options.sandbox === 'function' ? options.sandbox : createSandboxFor(settings, env),
    searcher: (folder) => hostSearcher(folder, env, clock, newId),
    fetch: options.fetch ?? globalThis.fetch,
    ...models,
    runLoop: (await import('../agent/index.ts')).runLoop,
  });

  return {
    registry,
    skills,
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
    async replayPolicy(rulesFile) {
      const permissions = await readRulesFile(resolve(cwd, rulesFile), cwd);
      return replayPolicy({
        sessions: (await store()).sessions,
        tools: registry,
        readShell,
        policy: (folder) =>
          sessionPolicy({ settings: { permissions }, options: {}, canonical: canonicalName, cwd: folder }),
        cwd,
      });
    },
    audit: {
      list: async (range) => (await store()).audit.list(range),
      verify: async () => (await store()).audit.verify(),
    },
    metrics: metrics.read,
    asks,
    tasks: createTasks({ store: async () => (await store()).tasks, clock, log }),
    async close() {
      await Promise.all([...open].map((session) => session.close()));
      await servers.close();
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}
