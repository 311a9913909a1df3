import type { ResolvedPath, Roots } from '../../../core/index.ts';
import { displayPath } from '../../display-path.ts';
import { parsePathArgument } from '../../path-argument.ts';
import type { RemoteSession } from './remote-session.ts';

/** The judge of a session's paths is on the far machine; here is who asks it. */
export function createRemoteRoots(session: RemoteSession): Roots {
  const { cwd, realCwd, roots } = session.facts;
  return {
    cwd,
    list: roots,
    async resolve(path, access) {
      // What is no text at all cannot be sent; all else is judged there.
      parsePathArgument(path);
      const query = new URLSearchParams({ path, access });
      return session.json<ResolvedPath>('GET', `resolve?${query}`);
    },
    display: (path) => displayPath([cwd, realCwd], path),
  };
}
