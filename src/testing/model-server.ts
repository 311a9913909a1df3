import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, isObject, systemClock } from '../core/index.ts';
import { anthropicPieces } from './model-server-anthropic.ts';
import { checkAnthropicRequest } from './model-server-check-anthropic.ts';
import { checkOpenAiRequest } from './model-server-check-openai.ts';
import { openAiPieces } from './model-server-openai.ts';
import type { ServerPiece, ServerStep } from './model-server-step.ts';

export interface ServerRequest {
  readonly protocol: 'openai' | 'anthropic';
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: unknown;
  /** The body as it came. */
  readonly text: string;
}

export interface ModelServerOptions {
  /** A step for each request in turn, or a function that chooses one. */
  readonly script: readonly ServerStep[] | ((request: ServerRequest, number: number) => ServerStep | undefined);
  readonly host?: string;
  readonly port?: number;
  /** Sends the stream in writes of so many bytes, each on its own. */
  readonly splitBytes?: number;
  readonly clock?: Clock;
}

/** A local server that speaks two protocols from one script, and watches what it is sent. */
export interface ModelServer {
  /** Without a path. */
  readonly url: string;
  /** Prefix for OpenAI-compatible clients. */
  readonly openaiUrl: string;
  /** Prefix for Anthropic clients. */
  readonly anthropicUrl: string;
  readonly requests: readonly ServerRequest[];
  /** What the provider would have refused in the requests so far. */
  readonly problems: readonly string[];
  /** Answers that were closed by the client before their end. */
  readonly aborted: number;
  /** Resolves when an answer has come to a stall. */
  stalled(): Promise<void>;
  /** Lets stalled answers go on. */
  release(): void;
  /** Ends everything. */
  close(): Promise<void>;
}

export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const clock = options.clock ?? systemClock;
  const requests: ServerRequest[] = [];
  const problems: string[] = [];
  const stalls = new Set<() => void>();
  const watchers = new Set<() => void>();
  let aborted = 0;

  const stepFor = (request: ServerRequest, number: number): ServerStep => {
    const { script } = options;
    const step = typeof script === 'function' ? script(request, number) : script[number - 1];
    if (step) return step;
    problems.push(`request ${number} came, but the script has no step for it`);
    return { status: 400, body: '{"error":{"message":"the script has no step for this request"}}' };
  };
  const stall = (gone: Promise<void>) =>
    new Promise<void>((resolve) => {
      const go = () => {
        stalls.delete(go);
        resolve();
      };
      stalls.add(go);
      void gone.then(go);
      for (const tell of watchers) tell();
      watchers.clear();
    });
  const wait = (ms: number, gone: Promise<void>) =>
    new Promise<void>((resolve) => {
      const timer = clock.after(ms, resolve);
      void gone.then(() => {
        clock.clear(timer);
        resolve();
      });
    });
  const write = async (response: http.ServerResponse, bytes: Buffer) => {
    const size = options.splitBytes ?? bytes.length;
    for (let from = 0; from < bytes.length && !response.destroyed; from += size) {
      response.write(bytes.subarray(from, from + size));
      if (options.splitBytes) await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };
  const play = async (response: http.ServerResponse, pieces: readonly ServerPiece[], gone: Promise<void>) => {
    for (const piece of pieces) {
      if (response.destroyed) return;
      if ('delayMs' in piece) await wait(piece.delayMs, gone);
      else if ('stall' in piece) await stall(gone);
      else if ('cut' in piece) response.destroy();
      else await write(response, bytesOf(piece));
    }
    response.end();
  };
  const answer = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const gone = new Promise<void>((resolve) => response.once('close', resolve));
    const text = await bodyText(request);
    const protocol = request.url?.includes('/messages') ? 'anthropic' : 'openai';
    const body = parsed(text);
    const record = { protocol, path: request.url ?? '', headers: request.headers, body, text } as const;
    requests.push(record);
    const number = requests.length;
    const found = protocol === 'anthropic' ? checkAnthropicRequest(body) : checkOpenAiRequest(body);
    problems.push(...found.map((problem) => `request ${number}: ${problem}`));
    const step = stepFor(record, number);
    if (step.delayMs) await wait(step.delayMs, gone);
    if (response.destroyed) return;
    if (step.body !== undefined) {
      response.writeHead(step.status ?? 200, { 'content-type': 'application/json', ...step.headers }).end(step.body);
      return;
    }
    response.once('close', () => {
      if (!response.writableFinished) aborted++;
    });
    response.writeHead(step.status ?? 200, { 'content-type': 'text/event-stream', ...step.headers });
    response.flushHeaders();
    await play(response, step[protocol] ?? (protocol === 'openai' ? openAiPieces(step) : anthropicPieces(step)), gone);
  };

  const server = http.createServer((request, response) => {
    response.on('error', () => {});
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
  });
  const { address, port } = server.address() as AddressInfo;
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
  return {
    url,
    openaiUrl: `${url}/v1`,
    anthropicUrl: `${url}/v1`,
    requests,
    problems,
    get aborted() {
      return aborted;
    },
    stalled: () => (stalls.size > 0 ? Promise.resolve() : new Promise<void>((resolve) => void watchers.add(resolve))),
    release() {
      for (const go of [...stalls]) go();
    },
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function bytesOf(piece: { send: string | Uint8Array } | { data: unknown; event?: string }): Buffer {
  if ('send' in piece) return Buffer.from(piece.send as Uint8Array);
  return Buffer.from(`${piece.event ? `event: ${piece.event}\n` : ''}data: ${JSON.stringify(piece.data)}\n\n`);
}

async function bodyText(request: http.IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
