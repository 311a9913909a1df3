import http from 'node:http';
import https from 'node:https';
import { type Clock, type Model, systemClock, ToolwrightError } from '../../core/index.ts';
import type { ExchangeLimits, Target } from './exchange.ts';
import { createBodyEncoder } from './request-body.ts';
import { streamReply } from './stream-reply.ts';
import { type Vendor, vendorOf } from './vendor.ts';

export interface OpenAiCompatibleOptions {
  /** `provider/name`, as the house calls the model. */
  readonly id: string;
  /** The name that the server knows. */
  readonly model: string;
  /** Prefix of `/chat/completions`; a query is kept. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Told from the address when absent. */
  readonly vendor?: Vendor | 'qwen';
  readonly contextWindow?: number;
  /** Default 30 s. */
  readonly connectTimeoutMs?: number;
  /** Longest silence of the server; default 5 min. */
  readonly idleTimeoutMs?: number;
  readonly clock?: Clock;
}

/** A model behind any server that speaks OpenAI's chat completions as a stream. */
export function createOpenAiCompatible(options: OpenAiCompatibleOptions): Model {
  const url = completionsUrl(options.baseUrl, options.id);
  const vendor = options.vendor === 'qwen' ? 'dashscope' : (options.vendor ?? vendorOf(url, options.model));
  const adapter = `openai-compatible:${vendor === 'generic' ? url.host : vendor}`;
  const encoder = createBodyEncoder(options.model, vendor, adapter);
  const clock = options.clock ?? systemClock;
  const limits: ExchangeLimits = {
    connectTimeoutMs: options.connectTimeoutMs ?? 30_000,
    idleTimeoutMs: options.idleTimeoutMs ?? 300_000,
  };
  const secrets = [options.apiKey, ...Object.values(options.headers ?? {})].filter(
    (value): value is string => value !== undefined && value.length >= 6,
  );
  const protocol = url.protocol === 'https:' ? https : http;
  const target: Target = {
    url,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {}),
      ...options.headers,
    },
    request: protocol.request,
    agent: new protocol.Agent({ keepAlive: true }),
  };
  return {
    id: options.id,
    ...(options.contextWindow === undefined ? {} : { contextWindow: options.contextWindow }),
    stream(request, { signal }) {
      const body = encoder.encode(request);
      return streamReply({ target, body, signal, clock, limits, adapter, secrets });
    },
  };
}

function completionsUrl(baseUrl: string, id: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ToolwrightError('invalid_request', `the base URL of ${id} is not an http(s) address: ${baseUrl}`, {
      hint: 'give an address such as https://api.openai.com/v1',
    });
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  return url;
}
