import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { messageOf, ToolwrightError } from '../../core/index.ts';
import { createHttpSessions } from './http-sessions.ts';
import type { ServeOptions } from './serve-options.ts';
import type { ServedDoor } from './serve-stdio.ts';
import { createServedLines } from './served-lines.ts';

export interface ServeHttpOptions extends ServeOptions {
  readonly port: number;
  /** Default 127.0.0.1; any other address needs a token. */
  readonly host?: string;
  readonly token?: string;
}

export interface ServedHttp extends ServedDoor {
  readonly url: string;
}

const PATH = '/mcp';
const BODY_BYTES = 4 * 1_048_576;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1']);
/** For a request's head, and for all of it: a slow sender holds no socket for longer. */
const HEAD_MS = 10_000;
const REQUEST_MS = 60_000;
const MOST_SOCKETS = 1_024;

/**
 * The house for many clients (MCP, Streamable HTTP, both eras): clients of 2025 get a session of their own, requests of
 * 2026 stand alone and share one. On loopback only names of this machine are answered, so that no web page gets in by a
 * name of its own.
 */
export async function serveHouseOnHttp(options: ServeHttpOptions): Promise<ServedHttp> {
  const { houses, log, token, host = '127.0.0.1', port } = options;
  const isLocal = LOOPBACK.has(host);
  if (!isLocal && token === undefined) {
    throw new ToolwrightError('invalid_request', `${host} can be reached from outside, so it needs a token`, {
      hint: 'Give a token, or stay on 127.0.0.1.',
    });
  }
  const lines = createServedLines(options);
  const house = await houses.open();
  const sessions = createHttpSessions({ ...options, lines, bodyBytes: BODY_BYTES });
  const modern = createMcpHandler(() => lines.serverFor(house), {
    legacy: 'reject',
    maxRequestBodySize: BODY_BYTES,
    onerror: (error) => log('debug', 'an MCP request was refused', { error: messageOf(error) }),
  });
  const offChange = houses.onChange((kind) => {
    if (kind === 'tools') modern.notify.toolsChanged();
    if (kind === 'prompts') modern.notify.promptsChanged();
    if (kind === 'resources') modern.notify.resourcesChanged();
    sessions.tell(kind);
  });

  const answer = async (request: Request): Promise<Response> => {
    const foreign = isLocal
      ? (hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
        originValidationResponse(request, localhostAllowedOrigins()))
      : undefined;
    if (foreign) return foreign;
    if (new URL(request.url).pathname !== PATH) return new Response('Not found', { status: 404 });
    if (token !== undefined && !holds(request, token)) {
      return new Response('Unauthorized', { status: 401, headers: { 'www-authenticate': 'Bearer' } });
    }
    const isOld = await isLegacyRequest(request, undefined, { maxRequestBodySize: BODY_BYTES });
    return isOld ? sessions.answer(request) : modern.fetch(request);
  };

  const listener = getRequestListener((request) => answer(request));
  const server = createServer({ headersTimeout: HEAD_MS, requestTimeout: REQUEST_MS }, (incoming, outgoing) => {
    void listener(incoming, outgoing);
  });
  server.maxConnections = MOST_SOCKETS;
  await listen(server, port, host);
  let ended: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    ended = resolve;
  });
  let closing: Promise<void> | undefined;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}${PATH}`,
    closed,
    close() {
      closing ??= (async () => {
        offChange();
        lines.close();
        await modern.close().catch(() => {});
        await sessions.close();
        await new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        });
        await house.close();
        ended();
      })();
      return closing;
    },
  };
}

/** Compared by their hashes, so that the time taken tells nothing. */
function holds(request: Request, token: string): boolean {
  const given = /^Bearer +(.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}

function listen(server: HttpServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'another program has that port' : messageOf(error);
      reject(
        new ToolwrightError('unavailable', `cannot listen on ${host}:${port}: ${why}`, {
          hint: 'Choose another port; 0 takes any free one.',
          cause: error,
        }),
      );
    });
    server.listen(port, host, () => resolve());
  });
}
