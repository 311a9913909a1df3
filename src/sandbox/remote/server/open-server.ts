import { createHash, timingSafeEqual } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Clock,
  isToolwrightError,
  type Log,
  messageOf,
  type NewId,
  type Root,
  ToolwrightError,
} from '../../../core/index.ts';
import { errorToText, PROTOCOL, RESUME_MS, type ServerFacts } from '../protocol.ts';
import { type Exchange, sendJson, statusOf } from './exchange.ts';
import { fileRoutes } from './file-routes.ts';
import { SERVER_LIMITS, type ServerLimits } from './limits.ts';
import { noPlace, processRoutes } from './process-routes.ts';
import { createHeldBytes, withBody } from './read-body.ts';
import { openShape, parseBody } from './request-shapes.ts';
import type { FarSandboxFactory } from './session.ts';
import { createFarSessions } from './sessions.ts';

export interface SandboxServerOptions {
  /** Makes the sandbox of each session. */
  readonly sandbox: FarSandboxFactory;
  readonly kind: string;
  /** The widest that a client may ask for; the first is its working folder when it names none. */
  readonly roots: readonly Root[];
  readonly token: string;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default: any that is free. */
  readonly port?: number;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly limits?: Partial<ServerLimits>;
  /** Is told of faults that clients only learn the fact of. */
  readonly log?: Log;
  /** Where the output of commands is kept for a while. Default: the host's folder for temporary files. */
  readonly tempFolder?: string;
}

export interface SandboxServer {
  readonly url: string;
  /** Ends every session with all that runs in it. */
  close(): Promise<void>;
}

/** Grace for responses that are being sent when the server closes. */
const LAST_MS = 500;

export async function openServer(options: SandboxServerOptions): Promise<SandboxServer> {
  const { clock, newId, token, host = '127.0.0.1', port = 0, roots, kind } = options;
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new ToolwrightError(
      'invalid_request',
      'A sandbox server needs a token: visible ASCII characters, no blanks.',
    );
  }
  const log: Log = options.log ?? (() => {});
  if (roots.length === 0) throw new ToolwrightError('invalid_request', 'A sandbox server needs a folder to serve.');
  const given = { ...SERVER_LIMITS, ...options.limits };
  const limits = { ...given, leaseMs: Math.max(given.leaseMs, RESUME_MS) };
  const held = createHeldBytes(limits.mostHeldBytes);
  const files = fileRoutes(limits);
  const processes = processRoutes(clock, limits);
  const isKnown = createTokenCheck(token);
  const folder = await mkdtemp(join(options.tempFolder ?? tmpdir(), 'toolwright-remote-'));
  const sessions = await createFarSessions({ factory: options.sandbox, roots, folder, clock, newId, limits }).catch(
    async (error) => {
      await rm(folder, { recursive: true, force: true });
      throw error;
    },
  );
  const facts: ServerFacts = {
    protocol: PROTOCOL,
    kind,
    cwd: (roots[0] as Root).path,
    roots: roots.map((root) => root.path),
    leaseMs: limits.leaseMs,
    mostFileBytes: limits.mostFileBytes,
  };

  const answer = async (exchange: Exchange, places: readonly string[]): Promise<unknown> => {
    const { request } = exchange;
    const [version, first, id, thing, job, action] = places;
    const method = request.method ?? '';
    if (version !== `v${PROTOCOL}`) throw noPlace();
    if (places.length === 1 && method === 'GET') return facts;
    if (first !== 'sessions') throw noPlace();
    if (id === undefined) {
      if (method !== 'POST') throw noPlace();
      return sessions.open(
        await withBody(request, limits.mostJsonBytes, held, async (body) => parseBody(openShape, body)),
      );
    }
    if (thing === undefined) {
      if (method !== 'DELETE') throw noPlace();
      await sessions.end(id);
      return {};
    }
    const session = await sessions.get(id);
    if (thing !== 'processes') {
      const route = job === undefined && Object.hasOwn(files, `${method} ${thing}`) && files[`${method} ${thing}`];
      if (!route) throw noPlace();
      return route(session, exchange);
    }
    if (job === undefined && method === 'POST') return processes.start(session, exchange);
    if (job === undefined || action === undefined || places.length > 6) throw noPlace();
    return processes.of(session, job, `${method} ${action}`, exchange);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.on('error', () => {});
    try {
      if (!isKnown(request.headers.authorization)) {
        response.setHeader('connection', 'close');
        response.setHeader('www-authenticate', 'Bearer');
        throw new ToolwrightError('unauthorized', 'The token is missing or wrong.');
      }
      const [path = '', query = ''] = (request.url ?? '').split('?', 2);
      const exchange = { request, response, query: new URLSearchParams(query), held };
      const value = await answer(exchange, path.split('/').slice(1));
      if (!response.headersSent && !response.destroyed) sendJson(response, 200, value ?? {});
    } catch (error) {
      if (!isToolwrightError(error) && !request.destroyed) log('error', messageOf(error), { error });
      if (response.headersSent) response.destroy();
      else if (!response.destroyed) {
        const text = errorToText(error);
        sendJson(response, statusOf(text.code), { error: text });
      }
    }
  };

  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
      keepAliveTimeout: 75_000,
      // The path of a file stands in the address, each of its bytes as three.
      maxHeaderSize: 32_768,
    },
    (request, response) => void handle(request, response),
  );
  server.maxConnections = limits.mostConnections;
  // A client that takes nothing any more gives up its place; one that was only slow asks again.
  server.timeout = limits.requestMs;
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
    else socket.destroy();
  });
  const stop = async () => {
    await sessions.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await listen(server, host, port);
  } catch (error) {
    await stop();
    throw error;
  }
  let closing: Promise<void> | undefined;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    close() {
      closing ??= (async () => {
        const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
        await stop();
        server.closeIdleConnections();
        const timer = clock.after(LAST_MS, () => server.closeAllConnections());
        await closed;
        clock.clear(timer);
      })();
      return closing;
    },
  };
}

function listen(server: ReturnType<typeof createServer>, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'the port is taken' : error.message;
      reject(
        new ToolwrightError('unavailable', `The sandbox server cannot listen on ${host}:${port}: ${why}`, {
          hint: 'Choose another one with --port and --host.',
          cause: error,
        }),
      );
    });
    server.listen(port, host, () => resolve());
  });
}

/** Compares digests, so that neither length nor content of the token shows in the time that it takes. */
function createTokenCheck(token: string): (header: string | undefined) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return (header) => {
    const given = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
    return timingSafeEqual(digest(given ?? ''), expected) && given !== undefined;
  };
}
