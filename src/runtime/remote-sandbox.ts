import type { Root } from '../core/index.ts';
import { createRemoteSandbox } from '../sandbox/index.ts';
import type { SandboxFactory } from './open-session.ts';

export interface RemoteSandboxSettings {
  /** Address of a `toolwright sandbox serve`. */
  readonly url: string;
  readonly token: string;
  /** The working folder on that machine, in place of the session's own. */
  readonly cwd?: string;
}

/** Sandboxes in another process or on another machine; the session's folders are folders there. */
export function remoteSandbox({ url, token, cwd }: RemoteSandboxSettings): SandboxFactory {
  return (session) => {
    // Copies of skills go into the working folder over there.
    const own = session.roots.filter((root) => root.label !== 'skill');
    const roots = own.map((root): Root => (cwd && root.label === 'workspace' ? { ...root, path: cwd } : root));
    return createRemoteSandbox({ ...session, url, token, cwd: cwd ?? session.cwd, roots });
  };
}
