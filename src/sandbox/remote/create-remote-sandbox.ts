import type { Roots, Sandbox } from '../../core/index.ts';
import type { RemoteSandboxOptions } from './client/connect-remote.ts';

/** A sandbox in another process or on another machine, where `toolwright sandbox serve` runs. */
export async function createRemoteSandbox(options: RemoteSandboxOptions): Promise<{ sandbox: Sandbox; roots: Roots }> {
  const { connectRemote } = await import('./client/connect-remote.ts');
  return connectRemote(options);
}
