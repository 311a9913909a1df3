import { randomBytes } from 'node:crypto';
import { hostEnv, isLoopback, type SandboxKind, serveSandbox } from '../../runtime/index.ts';
import type { OutputFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { UsageError } from '../report-error.ts';

export interface SandboxServeFlags extends OutputFlags {
  readonly host: string;
  readonly port: number;
  readonly root?: readonly string[];
  readonly tokenEnv: string;
  readonly kind: SandboxKind;
  readonly lease: number;
}

/** Serves sandboxes of this machine until it is interrupted; then ends all that runs in them. */
export async function sandboxServe(io: Io, flags: SandboxServeFlags): Promise<number> {
  const { host, port, kind, root = ['.'] } = flags;
  const { env } = await hostEnv('.');
  const given = env[flags.tokenEnv] ?? '';
  if (given === '' && !isLoopback(host)) {
    throw new UsageError(
      `at ${host} a token is needed that you have chosen`,
      `Set ${flags.tokenEnv}, such as by: export ${flags.tokenEnv}=$(openssl rand -hex 32)`,
    );
  }
  const token = given || randomBytes(32).toString('hex');
  const interrupted = untilInterrupted(io);
  const server = await serveSandbox({
    env,
    folders: root,
    token,
    host,
    port,
    kind,
    leaseMs: flags.lease * 60_000,
    log: (level, message) => io.err(`toolwright: ${level}: ${message}\n`),
  });
  try {
    if (given === '') io.err(`token: ${token}\n`);
    const { url, folders } = server;
    await io.out(
      flags.json === true
        ? `${JSON.stringify({ url, kind, folders })}\n`
        : `sandbox server at ${url} (${kind}; ${folders.join(', ')})\n`,
    );
    await interrupted;
  } finally {
    await server.close();
  }
  return 0;
}

function untilInterrupted(io: Io): Promise<void> {
  return new Promise((resolve) => {
    const off = io.onInterrupt(() => {
      off();
      resolve();
    });
  });
}
