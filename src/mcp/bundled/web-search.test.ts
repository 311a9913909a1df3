import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { createInProcessServer } from '../in-process/create-in-process-server.ts';
import { type WebSearchOptions, webSearchServer } from './web-search.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A search service on loopback and a client of the bundled server that asks it. */
async function search(
  answer: Answer,
  input: Record<string, unknown>,
  options: Partial<WebSearchOptions> = {},
): Promise<{ text: string; isError: boolean; data: unknown }> {
  const service = createServer(answer);
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/prefix/`;
  const server = createInProcessServer(webSearchServer({ engine: 'searxng', baseUrl, fetch, ...options }));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  try {
    const result = (await client.callTool({ name: 'search_web', arguments: input })) as {
      content: { text: string }[];
      isError?: boolean;
      structuredContent?: unknown;
    };
    return {
      text: result.content.map((part) => part.text).join('\n'),
      isError: result.isError === true,
      data: result.structuredContent,
    };
  } finally {
    await client.close();
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  }
}

const json =
  (value: unknown): Answer =>
  (_, response) =>
    response.end(JSON.stringify(value));

const SEARXNG = {
  query: 'm31',
  number_of_results: 2,
  results: [
    {
      url: 'https://a.example/1',
      title: 'Andromeda &amp; co',
      content: 'The <b>galaxy</b>\n M31',
      engine: 'x',
      score: 2,
    },
    { url: 'javascript:alert(1)', title: 'odd', content: '' },
    { url: 'https://b.example/', title: '', content: null, publishedDate: '2024-01-02T00:00:00' },
  ],
  answers: [],
};

verifies(
  'mcp/web-search',
  'SearXNG: hits in order, plain text, addresses only; what is asked for is passed on',
  async () => {
    let asked = '';
    const { text, data } = await search(
      (request, response) => {
        asked = String(request.url);
        json(SEARXNG)(request, response);
      },
      { query: 'm31 "a b"&c', language: 'de', time_range: 'month', page: 2 },
    );
    expect(asked).toMatch(/^\/prefix\/search\?/);
    expect(Object.fromEntries(new URL(asked, 'http://x').searchParams)).toEqual({
      q: 'm31 "a b"&c',
      format: 'json',
      pageno: '2',
      language: 'de',
      time_range: 'month',
    });
    expect(text).toContain('1. Andromeda & co\n   https://a.example/1\n   The galaxy M31');
    expect(text).toContain('2. https://b.example/');
    expect(text).not.toContain('javascript:');
    expect(data).toMatchObject({ page: 2, results: [{ url: 'https://a.example/1' }, { date: '2024-01-02T00:00:00' }] });
  },
);

verifies('mcp/web-search', "Brave: the key goes in its header, the reply's own shape is read", async () => {
  const seen: { url?: string; key?: unknown } = {};
  const { text } = await search(
    (request, response) => {
      seen.url = request.url ?? '';
      seen.key = request.headers['x-subscription-token'];
      json({
        type: 'search',
        web: { results: [{ title: 'T', url: 'https://t.example', description: 'D', age: '2 days ago' }] },
      })(request, response);
    },
    { query: 'q', count: 3, time_range: 'week' },
    { engine: 'brave', apiKey: 'its-key' },
  );
  expect(seen.key).toBe('its-key');
  expect(seen.url).toBe('/prefix/res/v1/web/search?q=q&count=3&offset=0&freshness=pw');
  expect(text).toContain('1. T\n   https://t.example\n   D\n   (2 days ago)');
});

verifies('mcp/web-search', 'nothing found is an answer; faults of the service say what to do', async () => {
  expect(await search(json({ results: [] }), { query: 'q' })).toMatchObject({
    isError: false,
    text: 'Nothing was found.',
  });
  const refused =
    (status: number, headers: Record<string, string> = {}): Answer =>
    (_, response) =>
      response.writeHead(status, headers).end('<html>');
  expect((await search(refused(403), { query: 'q' })).text).toContain('`search.formats`');
  expect((await search(refused(429, { 'retry-after': '7' }), { query: 'q' })).text).toContain('wait 7 s');
  expect((await search(refused(500), { query: 'q' })).text).toContain('500');
  expect((await search(refused(401), { query: 'q' }, { engine: 'brave' })).text).toContain('key');
  expect((await search((_, response) => response.end('<html>'), { query: 'q' })).text).toContain('not JSON');
  expect((await search(() => {}, { query: 'q' }, { timeoutMs: 50 })).text).toContain('did not answer');
  const flood: Answer = (_, response) => response.end(`{"results": ["${'x'.repeat(5 * 1_048_576)}"]}`);
  expect((await search(flood, { query: 'q' })).text).toContain('larger than');
  const wrong = await search(json({}), { query: '', count: 99 });
  expect(wrong).toMatchObject({ isError: true });
  expect(wrong.text).toMatch(/query[\s\S]*count/);
});
