import type { ServedHttp, ServeHttpOptions } from './serve-http.ts';
import type { ServedDoor, ServeStdioOptions } from './serve-stdio.ts';

/** See `serve-stdio.ts`, which is loaded with the protocol's server only when something is served. */
export async function serveHouseOnStdio(options: ServeStdioOptions): Promise<ServedDoor> {
  return (await import('./serve-stdio.ts')).serveHouseOnStdio(options);
}

/** See `serve-http.ts`; loaded when it is called. */
export async function serveHouseOnHttp(options: ServeHttpOptions): Promise<ServedHttp> {
  return (await import('./serve-http.ts')).serveHouseOnHttp(options);
}
