import { defineMcpServer, defineMcpTool, type McpServerDefinition } from '../in-process/define-mcp-server.ts';
import { readBounded } from './read-bounded.ts';
import { readBraveReply, readSearxngReply, type SearchHit, searchRequest } from './search-engines.ts';

export interface WebSearchOptions {
  readonly engine: 'searxng' | 'brave';
  /** Prefix of the service: a SearXNG instance, or Brave's `https://api.search.brave.com`. */
  readonly baseUrl: string;
  /** Brave's subscription token. */
  readonly apiKey?: string;
  readonly fetch: typeof globalThis.fetch;
  /** Longest wait for the service, milliseconds. Default 15,000. */
  readonly timeoutMs?: number;
}

interface Input {
  readonly query: string;
  readonly count?: number;
  readonly page?: number;
  readonly language?: string;
  readonly time_range?: 'day' | 'week' | 'month' | 'year';
}

const TIMEOUT_MS = 15_000;
const REPLY_BYTES = 4 * 1_048_576;
const SNIPPET_CHARS = 500;
const COUNT = 8;

/** A bundled server with one tool that asks a search service of the user's choice; it knows no other host. */
export function webSearchServer(options: WebSearchOptions): McpServerDefinition {
  return defineMcpServer({
    name: 'web-search',
    tools: [
      defineMcpTool<Input>({
        name: 'search_web',
        description:
          'Searches the web and gives titles, addresses and excerpts, best first. It does not open the pages. A search that finds nothing is an answer, not an error: try other words.',
        inputSchema: {
          type: 'object',
          additionalProperties: false,
          required: ['query'],
          properties: {
            query: { type: 'string', minLength: 1, maxLength: 400, description: 'Words to search for.' },
            count: { type: 'integer', minimum: 1, maximum: 20, description: `Results at the most. Default ${COUNT}.` },
            page: { type: 'integer', minimum: 1, maximum: 10, description: 'Which page of results. Default 1.' },
            language: { type: 'string', pattern: '^[a-z]{2}(-[A-Z]{2})?$', description: 'Such as en or de-DE.' },
            time_range: { enum: ['day', 'week', 'month', 'year'], description: 'How old pages may be.' },
          },
        },
        annotations: { readOnlyHint: true, openWorldHint: true },
        run: async (input, { signal }) => {
          const { count = COUNT, page = 1 } = input;
          const hits = (await ask(options, { ...input, count, page }, signal)).slice(0, count);
          return {
            content: [{ type: 'text', text: hits.length === 0 ? 'Nothing was found.' : textOf(hits, page) }],
            structuredContent: { query: input.query, page, results: hits },
          };
        },
      }),
    ],
  });
}

async function ask(
  options: WebSearchOptions,
  input: Input & { readonly count: number; readonly page: number },
  signal: AbortSignal,
): Promise<readonly SearchHit[]> {
  const { url, headers } = searchRequest(options, input);
  const limit = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  let response: Response;
  try {
    response = await options.fetch(url, { headers, signal: AbortSignal.any([signal, limit]) });
  } catch (error) {
    if (limit.aborted)
      throw new Error(
        `The search service did not answer in ${(options.timeoutMs ?? TIMEOUT_MS) / 1_000} s. Try again later.`,
      );
    throw error;
  }
  if (!response.ok) {
    await response.body?.cancel().catch(() => {});
    throw new Error(refusal(options.engine, response));
  }
  const text = await readBounded(response, REPLY_BYTES);
  let reply: unknown;
  try {
    reply = JSON.parse(text);
  } catch {
    throw new Error(`The search service answered with something that is not JSON.${formatHint(options.engine)}`);
  }
  return options.engine === 'brave' ? readBraveReply(reply) : readSearxngReply(reply);
}

function refusal(engine: WebSearchOptions['engine'], { status, headers }: Response): string {
  const wait = headers.get('retry-after');
  if (status === 429)
    return `The search service wants fewer searches${wait ? `: wait ${wait} s` : ''}. Try again later.`;
  if (status === 401 || (status === 403 && engine === 'brave')) return 'The search service refused its key: check it.';
  if (status === 403) return `The search service refused the request (403).${formatHint(engine)}`;
  return `The search service answered ${status}. Try again later.`;
}

const formatHint = (engine: WebSearchOptions['engine']) =>
  engine === 'searxng' ? ' A SearXNG instance must have json among its `search.formats`.' : '';

function textOf(hits: readonly SearchHit[], page: number): string {
  const lines = hits.map(({ title, url, text, date }, index) =>
    [`${index + 1}. ${title}`, `   ${url}`, text && `   ${text.slice(0, SNIPPET_CHARS)}`, date && `   (${date})`]
      .filter(Boolean)
      .join('\n'),
  );
  return `${lines.join('\n')}\n[page ${page}; the next with page=${page + 1}]`;
}
