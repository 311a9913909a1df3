import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { PermissionMode } from '../core/index.ts';
import type { HookCommand } from '../hooks/index.ts';
import type { Rule } from '../policy/index.ts';
import { type Config, type ConfigFile, readConfig } from './config.ts';
import { defined, type Env, envSettings } from './env.ts';
import { hookCommands } from './hook-commands.ts';
import { mergeSandbox } from './merge-sandbox.ts';
import type { Price } from './metrics.ts';
import { type ProjectTrust, readProjectTrust } from './project-trust.ts';
import type { SandboxSettings } from './sandbox-schema.ts';
import { type RuleList, rulesOf } from './settings-rules.ts';

/** What a person set, from every place: variables over the project's file over the home's over the defaults. */
export interface Settings {
  readonly home: string;
  readonly model: string;
  readonly fallbackModel?: string;
  readonly models: Readonly<Record<string, unknown>>;
  readonly contextWindow?: number;
  /** Files with tools, each with the folder that its pattern starts from. */
  readonly toolFiles: readonly { readonly pattern: string; readonly folder: string }[];
  readonly permissions: {
    readonly mode: PermissionMode;
    readonly precedence: 'ask-first' | 'allow-first';
    /** The project's before the home's, each with the file's folder. */
    readonly allow: readonly Rule[];
    readonly ask: readonly Rule[];
    readonly deny: readonly Rule[];
  };
  /** Folders with skills, absolute, and whether the project's own file names them. */
  readonly skillDirs: readonly { readonly path: string; readonly isProject: boolean }[];
  /** The home's file trusts the skills of every project. */
  readonly trustsSkills: boolean;
  /** Variables whose values are masked whatever they are called. */
  readonly secrets: readonly string[];
  /** By the model's name. */
  readonly prices: Readonly<Record<string, Price>>;
  /** The home's, then the project's when it is trusted. */
  readonly hooks: readonly HookCommand[];
  readonly networkAllow: readonly string[];
  /** What clients of `mcp serve --http` must show. */
  readonly mcpToken?: string;
  readonly sandbox: SandboxSettings;
  /** Whether the project's own skills, hooks and MCP servers may be used. */
  readonly trust: ProjectTrust;
  /** Limits of the executor that differ from its defaults. */
  readonly limits: Partial<Record<LimitName, number>> & { readonly progressEnabled?: boolean };
  readonly warnings: readonly string[];
}

type LimitName =
  | 'toolTimeoutMs'
  | 'maxResultTokens'
  | 'maxTurnChars'
  | 'maxParallel'
  | 'progressIntervalMs'
  | 'progressFlushBytes';

/** `trustProject` is the flag of one run; the variable stands behind it, and then what a person once said. */
export async function readSettings(
  cwd: string,
  env: Env,
  trustProject?: boolean,
  sandboxKind?: string,
): Promise<Settings> {
  const own = envSettings(env);
  const project = await readConfig(cwd);
  const home = own.home === cwd ? undefined : await readConfig(own.home);
  const files = [project, home].filter((file): file is ConfigFile => file !== undefined);
  const first = <T>(pick: (config: Config) => T | undefined): T | undefined =>
    files.map((file) => pick(file.config)).find((value) => value !== undefined);
  const all = (pick: (config: Config) => readonly string[] | undefined): string[] =>
    files.flatMap((file) => pick(file.config) ?? []);
  const rules = (kind: RuleList): readonly Rule[] => [
    ...(project === undefined ? [] : rulesOf(project, kind, own.home === cwd ? 'home' : 'project')),
    ...(home === undefined ? [] : rulesOf(home, kind, 'home')),
  ];
  const limits = defined({
    ...home?.config.limits,
    ...project?.config.limits,
    ...defined({ toolTimeoutMs: own.toolTimeoutMs, maxResultTokens: own.maxResultTokens }),
    progressEnabled: own.progressEnabled,
    progressIntervalMs: own.progressIntervalMs,
    progressFlushBytes: own.progressBytes,
  });
  const trust = await readProjectTrust(
    defined({ home: own.home, project: cwd, given: trustProject ?? own.trustProject }),
  );
  const hooks = hookCommands({ home, project, trusted: trust.trusted });
  const sandbox = await mergeSandbox({
    home: home?.config.sandbox,
    project: project?.config.sandbox,
    folder: cwd,
    trusted: trust.trusted,
    kind: sandboxKind ?? own.sandbox,
  });
  return defined({
    home: own.home,
    model: own.model ?? first((config) => config.model) ?? 'manual',
    fallbackModel: own.fallbackModel,
    models: { ...home?.config.models, ...project?.config.models },
    contextWindow: own.contextWindow ?? first((config) => config.context?.window),
    toolFiles: files.flatMap(({ folder, config }) => (config.tools ?? []).map((pattern) => ({ pattern, folder }))),
    permissions: {
      mode: first((config) => config.permissions?.mode) ?? 'standard',
      precedence: first((config) => config.permissions?.precedence) ?? 'ask-first',
      allow: rules('allow'),
      ask: rules('ask'),
      deny: rules('deny'),
    },
    skillDirs: files.flatMap((file) =>
      (file.config.skills?.dirs ?? []).map((dir) => ({
        path: resolve(file.folder, dir.replace(/^~(?=\/|$)/, homedir())),
        isProject: file === project && own.home !== cwd,
      })),
    ),
    trustsSkills: home?.config.skills?.trust ?? false,
    prices: { ...home?.config.prices, ...project?.config.prices } as Settings['prices'],
    secrets: all((config) => config.secrets),
    networkAllow: [...own.networkAllow, ...all((config) => config.network?.allow)],
    mcpToken: own.mcpToken,
    limits: limits as Settings['limits'],
    trust,
    hooks: hooks.commands,
    warnings: [...files.flatMap((file) => file.warnings), ...hooks.warnings, ...sandbox.warnings],
    sandbox: sandbox.settings,
  });
}
