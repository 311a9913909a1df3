import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

export interface ModelServer {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Starts the scripted server in a process of its own, so that its work is not counted as the client's. */
export async function startModelServer(): Promise<ModelServer> {
  const child = fork(fileURLToPath(new URL('./model-server.ts', import.meta.url)));
  const [address] = (await once(child, 'message', { signal: AbortSignal.timeout(20_000) })) as [AddressInfo];
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    async close() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
