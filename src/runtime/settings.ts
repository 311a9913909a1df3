import type { PermissionMode } from '../core/index.ts';
import { type Config, type ConfigFile, readConfig } from './config.ts';
import { defined, type Env, envSettings } from './env.ts';
import { mergeSandbox } from './merge-sandbox.ts';
import { type ProjectTrust, readProjectTrust } from './project-trust.ts';
import type { SandboxSettings } from './sandbox-schema.ts';

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
    readonly allow: readonly string[];
    readonly ask: readonly string[];
    readonly deny: readonly string[];
  };
  readonly networkAllow: readonly string[];
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
      allow: all((config) => config.permissions?.allow),
      ask: all((config) => config.permissions?.ask),
      deny: all((config) => config.permissions?.deny),
    },
    networkAllow: [...own.networkAllow, ...all((config) => config.network?.allow)],
    sandbox: sandbox.settings,
    trust,
    limits: limits as Settings['limits'],
    warnings: [...files.flatMap((file) => file.warnings), ...sandbox.warnings],
  });
}
