import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Timer } from '../../core/index.ts';
import { createEventStore } from './event-store.ts';
import type { ServeOptions } from './serve-options.ts';
import { tell } from './serve-stdio.ts';
import type { ServedHouse } from './served-house.ts';
import type { ServedLines } from './served-lines.ts';

/** A session that nobody has spoken to for this long is ended. */
const IDLE_MS = 30 * 60_000;
const MOST_SESSIONS = 256;
/** What a client is told to wait before it takes up a stream again. */
const RETRY_MS = 1_000;

export interface HttpSessions {
  answer(request: Request): Promise<Response>;
  tell(kind: 'tools' | 'prompts' | 'resources'): void;
  close(): Promise<void>;
}

interface Session {
  readonly house: ServedHouse;
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  timer: Timer | undefined;
}

export interface HttpSessionsOptions extends ServeOptions {
  readonly lines: ServedLines;
  readonly bodyBytes: number;
}

/** Clients of the protocol of 2025: a session each, by the id in their requests' header. */
export function createHttpSessions({ houses, clock, newId, lines, bodyBytes }: HttpSessionsOptions): HttpSessions {
  const sessions = new Map<string, Session>();

  const end = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    if (session === undefined) return;
    sessions.delete(id);
    if (session.timer) clock.clear(session.timer);
    await session.server.close().catch(() => {});
    await session.house.close();
  };
  const touch = (id: string, session: Session): void => {
    if (session.timer) clock.clear(session.timer);
    session.timer = clock.after(IDLE_MS, () => void end(id));
    session.timer.unref?.();
  };
  /** Only a request that opens a session gets here; anything else is refused by the transport, and the session with it. */
  const open = async (request: Request): Promise<Response> => {
    if (sessions.size >= MOST_SESSIONS) {
      return new Response('Too many sessions', { status: 503, headers: { 'retry-after': '60' } });
    }
    const house = await houses.open();
    const server = lines.serverFor(house);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: newId,
      eventStore: createEventStore(),
      retryInterval: RETRY_MS,
      maxRequestBodySize: bodyBytes,
      onsessioninitialized: (id) => {
        const session: Session = { house, server, transport, timer: undefined };
        sessions.set(id, session);
        touch(id, session);
      },
      onsessionclosed: (id) => end(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) {
      await server.close().catch(() => {});
      await house.close();
    }
    return response;
  };

  return {
    async answer(request) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return open(request);
      const session = sessions.get(id);
      if (session === undefined) {
        const error = { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found' } };
        return Response.json(error, { status: 404 });
      }
      touch(id, session);
      return session.transport.handleRequest(request);
    },
    tell(kind) {
      for (const { server } of sessions.values()) void tell(server, kind);
    },
    async close() {
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}
