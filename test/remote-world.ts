import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { type Clock, type Root, type Roots, randomId, type Sandbox, systemClock } from '../src/core/index.ts';
import {
  commandEnvironment,
  createPassthroughSandbox,
  createRemoteSandbox,
  createRoots,
  serveSandbox,
} from '../src/sandbox/index.ts';

type ServerOptions = Parameters<typeof serveSandbox>[0];
type ClientOptions = Parameters<typeof createRemoteSandbox>[0];

export const TOKEN = 'a-token-of-the-tests';

/** The far side of the tests: this machine itself, in a folder of its own. */
const passthroughFactory: ServerOptions['sandbox'] = async ({ cwd, roots, clock, newId }) => {
  const env = commandEnvironment(process.env);
  const sandbox = createPassthroughSandbox({ cwd, roots, clock, newId, env, ripgrep: rgPath });
  return { sandbox, roots: createRoots({ cwd, roots, realPath: sandbox.realPath }) };
};

export interface RemoteWorld {
  readonly base: string;
  /** The writable folder that is served. */
  readonly root: string;
  /** A folder that is served for reading. */
  readonly readOnly: string;
  readonly url: string;
  connect(options?: Partial<ClientOptions>): Promise<{ sandbox: Sandbox; roots: Roots }>;
  /** A request by hand, with the token unless it says otherwise. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Ends the server before the world ends. */
  stop(): Promise<void>;
}

export interface RemoteWorldOptions extends Partial<Omit<ServerOptions, 'clock'>> {
  readonly serverClock?: Clock;
}

/** A sandbox server on loopback; afterwards it, its clients and its folder are gone. */
export async function inRemoteWorld<Value>(
  body: (world: RemoteWorld) => Promise<Value>,
  { serverClock = systemClock, ...options }: RemoteWorldOptions = {},
): Promise<Value> {
  const world = await openRemoteWorld({ serverClock, ...options });
  try {
    return await body(world);
  } finally {
    await world.dispose();
  }
}

export async function openRemoteWorld({
  serverClock = systemClock,
  ...options
}: RemoteWorldOptions = {}): Promise<RemoteWorld & { dispose(): Promise<void> }> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'tw-remote-')));
  const [root, readOnly, tempFolder] = [join(base, 'root'), join(base, 'library'), join(base, 'spool')];
  for (const folder of [root, readOnly, tempFolder]) await mkdir(folder);
  const roots: Root[] = [
    { path: root, access: 'write', label: 'workspace' },
    { path: readOnly, access: 'read', label: 'library' },
  ];
  const server = await serveSandbox({
    sandbox: passthroughFactory,
    kind: 'passthrough',
    roots,
    token: TOKEN,
    clock: serverClock,
    newId: randomId,
    tempFolder,
    ...options,
  });
  const open: Sandbox[] = [];
  return {
    base,
    root,
    readOnly,
    url: server.url,
    async connect(client = {}) {
      const made = await createRemoteSandbox({
        url: server.url,
        token: TOKEN,
        clock: systemClock,
        newId: randomId,
        ...client,
      });
      open.push(made.sandbox);
      return made;
    },
    ask: (path, init = {}) =>
      fetch(server.url + path, { ...init, headers: { authorization: `Bearer ${TOKEN}`, ...init.headers } }),
    stop: () => server.close(),
    async dispose() {
      await Promise.all(open.map((sandbox) => sandbox.dispose()));
      await server.close();
      await rm(base, { recursive: true, force: true });
    },
  };
}

/** Whether a process with this in its arguments lives. */
export const isRunning = (marker: string): boolean =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(marker);

export const ticks = (ms = 20): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

export async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await done())) await ticks();
}
