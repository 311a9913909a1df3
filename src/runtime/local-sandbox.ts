import { commandEnvironment, createLocalSandbox, type LocalLimits, type Mount } from '../sandbox/index.ts';
import type { Env } from './env.ts';
import { defined, envSettings } from './env.ts';
import type { SandboxFactory } from './open-session.ts';
import { ripgrepPath } from './passthrough.ts';

export interface LocalSandboxSettings {
  readonly mounts?: readonly Mount[] | undefined;
  readonly network?: 'off' | 'on' | readonly string[] | undefined;
  readonly limits?: LocalLimits | undefined;
}

/** Sandboxes of this machine, isolated; an error where that cannot be had. Our own home is in none of them. */
export function localSandbox(env: Env, settings: LocalSandboxSettings = {}): SandboxFactory {
  return async (session) =>
    createLocalSandbox({
      ...session,
      ...defined({ ...settings, ripgrep: await ripgrepPath() }),
      env: commandEnvironment(env),
      hidden: [envSettings(env).home],
    });
}
