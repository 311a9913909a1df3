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

/** The ripgrep that comes with the package; undefined on a platform that it has none for. */
export async function ripgrepPath(): Promise<string | undefined> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return rgPath;
  } catch {
    return undefined;
  }
}
