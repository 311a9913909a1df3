import { ToolwrightError } from '../core/index.ts';
import { defined, type Env } from './env.ts';
import { localSandbox } from './local-sandbox.ts';
import type { SandboxFactory } from './open-session.ts';
import { passthroughSandbox } from './passthrough.ts';
import { remoteSandbox } from './remote-sandbox.ts';
import type { Settings } from './settings.ts';

/** The sandbox that the settings ask for. What a kind cannot keep is an error, never left out. */
export function createSandboxFor({ sandbox }: Pick<Settings, 'sandbox'>, env: Env): SandboxFactory {
  const { kind, url, cwd, tokenEnv = 'TOOLWRIGHT_SANDBOX_TOKEN', mounts, network, limits } = sandbox;
  if (kind === 'local') return localSandbox(env, { mounts, network, limits: limits && defined(limits) });
  const isolates = mounts !== undefined || limits !== undefined || (network !== undefined && network !== 'on');
  if (isolates) {
    throw refused(
      `sandbox.mounts, network and limits are kept by the kind local, not by ${kind}`,
      'Set sandbox.kind to local, or take them out.',
    );
  }
  if (kind === 'passthrough') return passthroughSandbox(env);
  const token = env[tokenEnv];
  if (url === undefined) throw refused('the sandbox remote has no address', 'Set sandbox.url in toolwright.json.');
  if (!token) throw refused(`the sandbox remote has no token: ${tokenEnv} is not set`, `Set ${tokenEnv}.`);
  return remoteSandbox(defined({ url, token, cwd }));
}

const refused = (what: string, hint: string) => new ToolwrightError('invalid_request', `${what}.`, { hint });
