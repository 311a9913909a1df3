import type { SandboxServer, SandboxServerOptions } from './server/open-server.ts';

/** Serves sandboxes of this machine to others, over a protocol of our own. */
export async function serveSandbox(options: SandboxServerOptions): Promise<SandboxServer> {
  const { openServer } = await import('./server/open-server.ts');
  return openServer(options);
}
