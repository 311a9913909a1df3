import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { randomId, type Sandbox, systemClock } from 'toolwright/core';
import {
  commandEnvironment,
  createLocalSandbox,
  createPassthroughSandbox,
  createRemoteSandbox,
} from 'toolwright/sandbox';

const BIN = join(import.meta.dirname, '../bin/toolwright.js');
const TOKEN = 'a-token-of-the-bench';

/** A folder, and what runs commands in it: a child made by hand, the host's sandbox, one served by another process. */
export interface SandboxWorld {
  readonly folder: string;
  readonly passthrough: Sandbox;
  /** Absent where this machine cannot isolate. */
  readonly local: Sandbox | undefined;
  readonly remote: Sandbox;
  close(): Promise<void>;
}

export async function openSandboxWorld(): Promise<SandboxWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-bench-'));
  const server = spawn(process.execPath, [BIN, 'sandbox', 'serve', '--port', '0', '--root', folder, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TOOLWRIGHT_SANDBOX_TOKEN: TOKEN },
  });
  const ports = { clock: systemClock, newId: randomId };
  const url = await addressOf(server);
  const { sandbox: remote } = await createRemoteSandbox({ ...ports, url, token: TOKEN });
  const host = {
    ...ports,
    cwd: folder,
    roots: [{ path: folder, access: 'write' as const, label: 'workspace' }],
    env: commandEnvironment(process.env),
  };
  const passthrough = createPassthroughSandbox(host);
  const local = await createLocalSandbox(host).catch(() => undefined);
  return {
    folder,
    passthrough,
    local: local?.sandbox,
    remote,
    async close() {
      await Promise.all([remote.dispose(), passthrough.dispose(), local?.sandbox.dispose()]);
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('the server has no output');
  for await (const line of createInterface({ input: stdout })) return (JSON.parse(line) as { url: string }).url;
  throw new Error('the server did not start');
}
