import type { Clock, NewId, Root, Sandbox } from '../core/index.ts';
import { commandEnvironment, createPassthroughSandbox, createRoots } from '../sandbox/index.ts';
import type { Env } from './env.ts';
import type { SandboxFactory } from './open-session.ts';

/** Sandboxes on the host itself, with the small environment that commands get of the host's. */
export function passthroughSandbox(env: Env): SandboxFactory {
  return async ({ cwd, roots, clock, newId }) => {
    const ripgrep = await ripgrepPath();
    const sandbox = createPassthroughSandbox({
      roots,
      cwd,
      clock,
      newId,
      env: commandEnvironment(env),
      ...(ripgrep === undefined ? {} : { ripgrep }),
    });
    return { sandbox, roots: createRoots({ cwd, roots, realPath: sandbox.realPath }) };
  };
}

/** Runs search programs over a folder of this machine, whatever sandbox a session has. */
export async function hostSearcher(
  folder: string,
  env: Env,
  clock: Clock,
  newId: NewId,
): Promise<Pick<Sandbox, 'start' | 'capabilities'>> {
  const roots: Root[] = [{ path: folder, access: 'read', label: 'outputs' }];
  return (await passthroughSandbox(env)({ cwd: folder, roots, clock, newId })).sandbox;
}

/** The ripgrep that comes with the package; undefined on a platform that it has none for. */
export async function ripgrepPath(): Promise<string | undefined> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return rgPath;
  } catch {
    return undefined;
  }
}
