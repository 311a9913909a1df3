import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ToolwrightError } from '../core/index.ts';
import { DEFAULT_LIMITS, isWithin } from '../sandbox/index.ts';
import { SANDBOX_KINDS, type SandboxConfig, type SandboxSettings } from './sandbox-schema.ts';

export interface SandboxPlaces {
  readonly home: SandboxConfig | undefined;
  readonly project: SandboxConfig | undefined;
  /** The project's. */
  readonly folder: string;
  readonly trusted: boolean;
  /** A person's own word, by flag or variable. */
  readonly kind: string | undefined;
}

/**
 * A trusted project's settings stand over the home's. One that is not trusted may only ask for more isolation:
 * what would open something is left out and told.
 */
export async function mergeSandbox(places: SandboxPlaces): Promise<{ settings: SandboxSettings; warnings: string[] }> {
  const { home = {}, folder, trusted } = places;
  const kind = SANDBOX_KINDS.find((known) => known === places.kind);
  if (places.kind !== undefined && kind === undefined) {
    throw new ToolwrightError('invalid_request', `there is no sandbox "${places.kind}"`, {
      hint: `Take one of ${SANDBOX_KINDS.join(', ')}.`,
    });
  }
  const asked = places.project && {
    ...places.project,
    ...(places.project.mounts && {
      mounts: places.project.mounts.map((mount) => ({ ...mount, path: resolve(folder, mount.path) })),
    }),
  };
  const { config, warnings } =
    asked === undefined || trusted
      ? { config: { ...home, ...asked, ...joined(home.env, asked?.env) }, warnings: [] }
      : await harden(home, asked, folder);
  return { settings: { ...config, kind: kind ?? config.kind ?? 'passthrough' }, warnings };
}

/** Names of both places. */
function joined(home: readonly string[] = [], project: readonly string[] = []): Pick<SandboxConfig, 'env'> {
  const env = [...new Set([...home, ...project])];
  return env.length === 0 ? {} : { env };
}

async function harden(home: SandboxConfig, asked: SandboxConfig, folder: string) {
  const warnings: string[] = [];
  const config: { -readonly [Key in keyof SandboxConfig]: SandboxConfig[Key] } = { ...home };
  const refuse = (what: string) =>
    void warnings.push(`toolwright.json of ${folder}: sandbox.${what} is not used, since the project is not trusted`);
  if (asked.kind === 'local' && (home.kind ?? 'passthrough') === 'passthrough') config.kind = 'local';
  else if (asked.kind !== undefined && asked.kind !== (home.kind ?? 'passthrough')) refuse('kind');
  if (asked.network === 'off') config.network = 'off';
  else if (asked.network !== undefined) refuse('network');
  for (const mount of asked.mounts ?? []) {
    const real = await realpath(mount.path).catch(() => undefined);
    const harmless = mount.access === 'read' && mount.at === undefined && real !== undefined && isWithin(folder, real);
    if (harmless) config.mounts = [...(config.mounts ?? []), { ...mount, path: real }];
    else refuse('mounts');
  }
  for (const name of ['cpuSeconds', 'memoryMb', 'processes', 'wallMs'] as const) {
    const [own, wanted] = [home.limits?.[name] ?? DEFAULT_LIMITS[name], asked.limits?.[name]];
    if (wanted === undefined) continue;
    if (own === undefined || wanted <= own) config.limits = { ...config.limits, [name]: wanted };
    else refuse(`limits.${name}`);
  }
  for (const name of ['env', 'url', 'tokenEnv', 'cwd'] as const) if (asked[name] !== undefined) refuse(name);
  return { config, warnings };
}
