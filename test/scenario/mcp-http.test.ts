import { expect } from 'vitest';
import { type FakeHttp, type FakeHttpOptions, startFakeHttp } from '../fixtures/mcp/http-server.ts';
import { verifies } from '../verifies.ts';
import { type McpWorld, until, withServers } from './mcp-world.ts';

async function withHttp(
  options: FakeHttpOptions,
  entry: Record<string, unknown>,
  body: (world: McpWorld, server: FakeHttp) => Promise<void>,
): Promise<void> {
  const server = await startFakeHttp(options);
  try {
    await withServers({ h: { type: 'http', url: server.url, ...entry } }, (world) => body(world, server));
  } finally {
    await server.close();
  }
}

const count = (server: FakeHttp, method: string) => server.seen.filter((each) => each.method === method).length;

/** Answers 404 to calls of these sessions. */
const ended =
  (...sessions: string[]): NonNullable<FakeHttpOptions['answer']> =>
  (message, response, request) => {
    const isOver = message.method === 'tools/call' && sessions.includes(String(request.headers['mcp-session-id']));
    if (isOver) response.writeHead(404).end('Session not found');
    return isOver;
  };

verifies('MCP-11', 'one new session, without the old id, and the call once more', () =>
  withHttp({ answer: ended('s1') }, {}, async ({ call }, server) => {
    expect((await call('mcp__h__echo', { a: 1 })).text).toBe('s2 {"a":1}');
    expect(count(server, 'initialize')).toBe(2);
    expect(count(server, 'notifications/initialized')).toBe(2);
    expect(server.seen.filter(({ method }) => method === 'initialize').map(({ session }) => session)).toEqual([
      undefined,
      undefined,
    ]);
    expect(count(server, 'tools/call')).toBe(2);
    expect((await call('mcp__h__echo', { a: 2 })).text).toBe('s2 {"a":2}');
  }),
);

verifies('MCP-11', 'five calls that notice together share one new session', () =>
  withHttp({ answer: ended('s1') }, { parallel: true }, async ({ session }, server) => {
    const opened = await session();
    const calls = [1, 2, 3, 4, 5].map((a) => opened.call('mcp__h__echo', JSON.stringify({ a })));
    expect((await Promise.all(calls)).map(({ content }) => content)).toEqual(
      [1, 2, 3, 4, 5].map((a) => `s2 {"a":${a}}`),
    );
    expect(count(server, 'initialize')).toBe(2);
  }),
);

verifies('MCP-11', 'a new session that is over at once ends the call', () =>
  withHttp({ answer: ended('s1', 's2') }, {}, async ({ call }, server) => {
    expect((await call('mcp__h__echo')).error?.code).toBe('unavailable');
    expect(count(server, 'initialize')).toBe(2);
    expect(count(server, 'tools/call')).toBe(2);
  }),
);

verifies('MCP-11', 'a 404 at the very first is a server that is not there', () =>
  withHttp(
    {
      answer(_message, response) {
        response.writeHead(404).end('nothing here');
        return true;
      },
    },
    {},
    async ({ call, runtimeWith: { mcp } }) => {
      expect(mcp.find('h')).toMatchObject({ state: 'reconnecting', reason: expect.stringContaining('nothing here') });
      expect((await call('mcp__h__echo')).error?.code).toBe('unknown_tool');
    },
  ),
);

verifies('MCP-11', 'a call whose answer broke off is not sent again', () =>
  withHttp(
    {
      answer(message, response) {
        if (message.method !== 'tools/call') return false;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': hello\n\n');
        setTimeout(() => response.destroy(), 30);
        return true;
      },
    },
    {},
    async ({ call }, server) => {
      const result = await call('mcp__h__echo');
      expect(result.error).toBeDefined();
      expect(result.text).toMatch(/ended before the answer came/);
      expect(count(server, 'tools/call')).toBe(1);
    },
  ),
);

verifies('MCP-15', 'results over HTTP that are no results', () => {
  const bodies = ['null', '{"jsonrpc":"2.0"}', 'not json', '{"jsonrpc":"2.0","id":ID,"result":null}'];
  return withHttp(
    {
      answer(message, response) {
        if (message.method !== 'tools/call') return false;
        const body = bodies[Number(message.params?.arguments?.['n'])] ?? '';
        response.writeHead(200, { 'content-type': 'application/json' }).end(body.replace('ID', String(message.id)));
        return true;
      },
    },
    { timeouts: { call: 3_000 } },
    async ({ call }) => {
      for (const n of bodies.keys())
        expect((await call('mcp__h__echo', { n })).error?.code, bodies[n]).toMatch(/failed|timeout/);
    },
  );
});

verifies('mcp/chaos', 'a server that goes away and comes back at its address', async () => {
  const first = await startFakeHttp();
  await withServers(
    { h: { type: 'http', url: first.url, headers: { Authorization: 'Bearer sesame-1234' } } },
    async ({ call, runtimeWith: { mcp } }) => {
      expect((await call('mcp__h__echo')).error).toBeUndefined();
      expect(first.seen.every(({ headers }) => headers.authorization === 'Bearer sesame-1234')).toBe(true);
      await first.close();
      const gone = await call('mcp__h__echo');
      expect(gone.error).toMatchObject({ code: 'unavailable', retryable: true });
      await until(() => mcp.find('h').state === 'reconnecting', 'it is told');
      expect(JSON.stringify([gone, mcp.list()])).not.toContain('sesame');
    },
  );
});

verifies('mcp/config', 'what a server says back of its secrets is masked', () =>
  withHttp(
    {
      answer(message, response, request) {
        if (message.method !== 'initialize') return false;
        response.writeHead(500).end(`bad token ${request.headers.authorization}`);
        return true;
      },
    },
    { headers: { Authorization: 'Bearer sesame-1234' } },
    async ({ runtimeWith: { mcp }, logged }) => {
      expect(mcp.find('h').reason).toContain('[secret]');
      expect(JSON.stringify([mcp.list(), logged])).not.toContain('sesame');
    },
  ),
);
