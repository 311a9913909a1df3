import { join } from 'node:path';
import {
  type Access,
  type Clock,
  isToolwrightError,
  type NewId,
  type Root,
  ToolwrightError,
} from '../../../core/index.ts';
import type { SessionFacts } from '../protocol.ts';
import type { ServerLimits } from './limits.ts';
import { createFarSession, type FarSandboxFactory, type FarSession } from './session.ts';

export interface SessionRequest {
  readonly id: string;
  readonly cwd?: string | undefined;
  readonly roots?: readonly Root[] | undefined;
}

export interface FarSessions {
  /** The same id gives the same session. */
  open(request: SessionRequest): Promise<SessionFacts>;
  get(id: string): Promise<FarSession>;
  end(id: string): Promise<void>;
  close(): Promise<void>;
}

export interface FarSessionsOptions {
  readonly factory: FarSandboxFactory;
  readonly roots: readonly Root[];
  readonly folder: string;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly limits: ServerLimits;
}

interface Opened {
  readonly session: FarSession;
  readonly facts: SessionFacts;
}

export async function createFarSessions(options: FarSessionsOptions): Promise<FarSessions> {
  const { factory, roots, folder, clock, newId, limits } = options;
  const cwd = (roots[0] as Root).path;
  /** Judges the folders that clients ask for. */
  const gate = await factory({ cwd, roots, clock, newId });
  const open = new Map<string, Promise<Opened>>();
  const ending = new Map<string, Promise<void>>();
  let closing = false;
  let count = 0;

  const granted = async ({ path, access, label }: Root): Promise<Root> => {
    const found = await gate.roots.resolve(path, access).catch((error) => {
      throw notServed(path, access, roots, error);
    });
    if (!found.exists) throw new ToolwrightError('failed', `The folder ${path} does not exist on that machine.`);
    return { path: found.real, access, label };
  };
  const make = async (request: SessionRequest): Promise<Opened> => {
    const asked = request.roots ?? roots;
    const own = await Promise.all(asked.map(granted));
    const wanted = request.cwd ?? asked[0]?.path ?? cwd;
    const { sandbox, roots: judge } = await factory({ cwd: wanted, roots: own, clock, newId });
    try {
      const { real } = await judge.resolve(wanted, 'read');
      if ((await sandbox.stat(real))?.kind !== 'directory') {
        throw new ToolwrightError('failed', `The working folder ${wanted} is not a folder on that machine.`);
      }
      // What was looked up since is judged from now on by what it was then: a folder swapped in between is found here.
      for (const [index, root] of (await Promise.all(asked.map(granted))).entries()) {
        if (root.path !== own[index]?.path) throw new ToolwrightError('denied', `${root.path} was changed meanwhile.`);
      }
      const session = createFarSession({
        id: request.id,
        sandbox,
        roots: judge,
        path: join(folder, String(count++)),
        clock,
        limits,
        onExpired: () => void end(request.id).catch(() => {}),
      });
      const { isolation, ripgrep } = sandbox.capabilities;
      const facts: SessionFacts = {
        id: request.id,
        cwd: wanted,
        realCwd: real,
        roots: own,
        isolation,
        ...(ripgrep === undefined ? {} : { ripgrep }),
      };
      return { session, facts };
    } catch (error) {
      await sandbox.dispose();
      throw error;
    }
  };
  const end = (id: string): Promise<void> => {
    const opened = open.get(id);
    if (!opened) return ending.get(id) ?? Promise.resolve();
    // From now on there is none of that id: who asks for it opens a new one.
    open.delete(id);
    const closed = opened
      .then(({ session }) => session.close())
      .finally(() => {
        if (ending.get(id) === closed) ending.delete(id);
      });
    ending.set(id, closed);
    return closed;
  };

  return {
    async open(request) {
      if (closing) throw new ToolwrightError('unavailable', 'The sandbox server is being closed.');
      const known = open.get(request.id);
      if (!known && open.size >= limits.mostSessions) {
        throw new ToolwrightError('too_many', `The sandbox server has ${open.size} sessions, which is the most.`, {
          hint: 'End one of them, or try again later.',
          retryable: true,
        });
      }
      const opened = known ?? make(request);
      open.set(request.id, opened);
      opened.catch(() => open.get(request.id) === opened && open.delete(request.id));
      const { session, facts } = await opened;
      session.renew();
      return facts;
    },
    async get(id) {
      const opened = await open.get(id);
      if (!opened) {
        throw new ToolwrightError('not_found', 'There is no such session.', { data: { reason: 'no_session' } });
      }
      opened.session.renew();
      return opened.session;
    },
    end,
    async close() {
      closing = true;
      await Promise.allSettled([...open.keys()].map(end));
      await Promise.allSettled(ending.values());
      await gate.sandbox.dispose();
    },
  };
}

function notServed(path: string, access: Access, roots: readonly Root[], error: unknown): unknown {
  if (!isToolwrightError(error) || error.code !== 'denied') return error;
  const served = roots.map((root) => `${root.path}${root.access === 'read' ? ' (read-only)' : ''}`).join(', ');
  return new ToolwrightError(
    'denied',
    `The sandbox server does not serve ${path} for ${access}; it serves ${served}.`,
    {
      hint: `Work in one of these, or start the server with --root ${path}.`,
      data: error.data,
    },
  );
}
