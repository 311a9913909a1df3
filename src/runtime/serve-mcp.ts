import type { Readable, Writable } from 'node:stream';
import { type Clock, type Log, type NewId, randomId, systemClock } from '../core/index.ts';
import type { ServedDoor, ServedHttp } from '../mcp/index.ts';
import { createServedHouses, type ServedHousesOptions } from './served-houses.ts';

export interface ServeMcpOptions extends ServedHousesOptions {
  readonly clock?: Clock;
  readonly newId?: NewId;
  readonly log?: Log;
}

/** The house for one MCP client at two pipes; it ends when the client's end closes. The runtime stays the caller's. */
export async function serveMcpOnStdio(
  options: ServeMcpOptions & { readonly input: Readable; readonly output: Writable },
): Promise<ServedDoor> {
  const { serveHouseOnStdio } = await import('../mcp/index.ts');
  return serveHouseOnStdio({ ...ports(options), input: options.input, output: options.output });
}

/** The house for MCP clients by HTTP at `/mcp`; any address but loopback needs a token. The runtime stays the caller's. */
export async function serveMcpOnHttp(
  options: ServeMcpOptions & { readonly port: number; readonly host?: string; readonly token?: string },
): Promise<ServedHttp> {
  const { serveHouseOnHttp } = await import('../mcp/index.ts');
  const { port, host, token } = options;
  return serveHouseOnHttp({
    ...ports(options),
    port,
    ...(host === undefined ? {} : { host }),
    ...(token === undefined ? {} : { token }),
  });
}

function ports(options: ServeMcpOptions) {
  const { clock = systemClock, newId = randomId, log = () => {} } = options;
  return { houses: createServedHouses(options), clock, newId, log };
}
