import { isObject } from '../../core/index.ts';

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly text: string;
  /** As the service writes it. */
  readonly date?: string;
}

interface Service {
  readonly engine: 'searxng' | 'brave';
  readonly baseUrl: string;
  readonly apiKey?: string;
}

interface Search {
  readonly query: string;
  readonly count: number;
  readonly page: number;
  readonly language?: string;
  readonly time_range?: 'day' | 'week' | 'month' | 'year';
}

const FRESHNESS = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const;

/** SearXNG's `/search` with `format=json`, or Brave's `/res/v1/web/search`. */
export function searchRequest(
  { engine, baseUrl, apiKey }: Service,
  { query, count, page, language, time_range }: Search,
): { url: string; headers: Record<string, string> } {
  const base = baseUrl.replace(/\/+$/, '');
  const accept = { accept: 'application/json' };
  if (engine === 'searxng') {
    const params = new URLSearchParams({ q: query, format: 'json', pageno: String(page) });
    if (language) params.set('language', language);
    if (time_range) params.set('time_range', time_range);
    return { url: `${base}/search?${params}`, headers: accept };
  }
  const params = new URLSearchParams({ q: query, count: String(count), offset: String(page - 1) });
  if (language) params.set('search_lang', language.slice(0, 2));
  if (time_range) params.set('freshness', FRESHNESS[time_range]);
  return {
    url: `${base}/res/v1/web/search?${params}`,
    headers: { ...accept, ...(apiKey === undefined ? {} : { 'x-subscription-token': apiKey }) },
  };
}

export function readSearxngReply(reply: unknown): SearchHit[] {
  return listIn(reply, 'results').flatMap((entry) => hit(entry, 'content', 'publishedDate'));
}

export function readBraveReply(reply: unknown): SearchHit[] {
  const web = isObject(reply) ? reply['web'] : undefined;
  return listIn(web, 'results').flatMap((entry) => hit(entry, 'description', 'age'));
}

function listIn(value: unknown, key: string): unknown[] {
  const list = isObject(value) ? value[key] : undefined;
  return Array.isArray(list) ? list : [];
}

/** What has no address is no hit. */
function hit(entry: unknown, textKey: string, dateKey: string): SearchHit[] {
  if (!isObject(entry) || typeof entry['url'] !== 'string' || !/^https?:/i.test(entry['url'])) return [];
  const plain = (key: string) => (typeof entry[key] === 'string' ? plainText(entry[key]) : '');
  const date = plain(dateKey);
  return [
    { title: plain('title') || entry['url'], url: entry['url'], text: plain(textKey), ...(date ? { date } : {}) },
  ];
}

/** Services mark the words that were found. */
function plainText(html: string): string {
  return html
    .replace(/<\/?[a-z][^>]{0,200}>/gi, '')
    .replace(/&(amp|lt|gt|quot|#39|#x27|nbsp);/g, (_, name: string) => ENTITIES[name] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };
