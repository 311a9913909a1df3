import { resolve } from 'node:path';
import { type Log, type Root, randomId, systemClock, ToolwrightError } from '../core/index.ts';
import { serveSandbox as serve } from '../sandbox/index.ts';
import type { Env } from './env.ts';
import { localSandbox } from './local-sandbox.ts';
import type { SandboxFactory } from './open-session.ts';
import { passthroughSandbox } from './passthrough.ts';
import { workingFolder } from './working-folder.ts';

export interface ServeSandboxOptions {
  readonly env: Env;
  /** What clients may work in; the first is the working folder of a client that names none. */
  readonly folders: readonly string[];
  readonly token: string;
  readonly host?: string;
  readonly port?: number;
  readonly kind?: SandboxKind;
  /** What nobody asks for is ended after so long; a minute at least. */
  readonly leaseMs?: number;
  readonly log?: Log;
}

/** Which sandboxes this machine can serve to others. */
const FACTORIES = {
  passthrough: passthroughSandbox,
  local: localSandbox,
} as const satisfies Record<string, (env: Env) => SandboxFactory>;

export type SandboxKind = keyof typeof FACTORIES;

/** Serves sandboxes on this machine to clients with the token, until it is closed. */
export async function serveSandbox(options: ServeSandboxOptions): Promise<{
  readonly url: string;
  readonly folders: readonly string[];
  close(): Promise<void>;
}> {
  const { env, token, host = '127.0.0.1', port = 0, kind = 'passthrough' } = options;
  const folders = await Promise.all(options.folders.map((folder) => workingFolder(resolve(folder), process.cwd())));
  if (!isLoopback(host) && token.length < LEAST_TOKEN) {
    throw new ToolwrightError(
      'invalid_request',
      `A token of at least ${LEAST_TOKEN} characters is needed at ${host}.`,
      {
        hint: 'Leave --host out to be reached from this machine only, or give a longer token.',
      },
    );
  }
  const roots = folders.map((path): Root => ({ path, access: 'write', label: 'workspace' }));
  const sandbox = FACTORIES[kind](env);
  const server = await serve({
    sandbox,
    kind,
    roots,
    token,
    host,
    port,
    clock: systemClock,
    newId: randomId,
    ...(options.leaseMs === undefined ? {} : { limits: { leaseMs: options.leaseMs } }),
    ...(options.log === undefined ? {} : { log: options.log }),
  });
  return { url: server.url, folders, close: server.close };
}

/** Where a token can be tried by anybody on the network. */
const LEAST_TOKEN = 16;

/** Reached from this machine only. */
export const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);
