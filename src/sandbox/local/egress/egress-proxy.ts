import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { isToolwrightError, messageOf } from '../../../core/index.ts';
import type { FindDestination } from './allowed-hosts.ts';

export interface EgressProxy {
  /** A socket that only its owner may use. */
  readonly socket: string;
  close(): Promise<void>;
}

const MOST_LINES = 256;
const STILL_MS = 120_000;
const HEAD_MS = 10_000;
const HOP_HEADERS = new Set(['connection', 'proxy-connection', 'proxy-authorization', 'keep-alive', 'te', 'upgrade']);

/** An HTTP proxy (CONNECT and plain requests) on a unix socket; it reaches what `find` gives and nothing else. */
export async function openEgressProxy(find: FindDestination): Promise<EgressProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-net-'));
  const socket = join(folder, 'proxy.sock');
  const lines = new Set<Duplex>();
  const own: Own = (line) => {
    lines.add(line);
    line.on('close', () => lines.delete(line));
    line.on('error', () => line.destroy());
    return line;
  };
  const server = createServer({ headersTimeout: HEAD_MS, keepAliveTimeout: HEAD_MS }, (incoming, answer) => {
    void forward(incoming, answer, find, own).catch((error) => refuse(answer, error));
  });
  server.maxConnections = MOST_LINES;
  server.on('connection', own);
  server.on('connect', (incoming: IncomingMessage, line: Duplex, head: Buffer) => {
    void tunnel(incoming.url ?? '', line, head, find, own).catch((error) => {
      line.end(`HTTP/1.1 ${statusOf(error)}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${textOf(error)}`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, resolve);
  });
  return {
    socket,
    async close() {
      for (const line of lines) line.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Own = <Line extends Duplex>(line: Line) => Line;

async function tunnel(target: string, line: Duplex, head: Buffer, find: FindDestination, own: Own): Promise<void> {
  const url = new URL(`http://${target}`);
  const { address, port } = await find(url.hostname, Number(url.port || 80));
  const far = own(connect({ host: address, port, timeout: STILL_MS }));
  await new Promise<void>((resolve, reject) => {
    far.once('connect', resolve);
    far.once('error', reject);
    far.once('timeout', () => far.destroy(new Error('no answer')));
  });
  line.on('close', () => far.destroy());
  far.on('close', () => line.destroy());
  line.write('HTTP/1.1 200 Connection established\r\n\r\n');
  if (head.byteLength > 0) far.write(head);
  far.pipe(line).pipe(far);
}

async function forward(incoming: IncomingMessage, answer: ServerResponse, find: FindDestination, own: Own) {
  const url = new URL(incoming.url ?? '');
  if (url.protocol !== 'http:') throw new Error('only http: can be asked for without CONNECT');
  const { address, port } = await find(url.hostname, Number(url.port || 80));
  const headers = Object.entries(incoming.headers).filter(([name]) => !HOP_HEADERS.has(name));
  await new Promise<void>((resolve, reject) => {
    const far = request({
      host: address,
      port,
      method: incoming.method,
      path: url.pathname + url.search,
      headers: { ...Object.fromEntries(headers), host: url.host },
      timeout: STILL_MS,
      agent: false,
    });
    far.on('socket', own);
    far.on('timeout', () => far.destroy(new Error('no answer')));
    far.on('error', reject);
    far.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
      response.on('end', resolve);
      response.on('error', reject);
    });
    answer.on('close', () => far.destroy());
    incoming.pipe(far);
  });
}

function refuse(answer: ServerResponse, error: unknown): void {
  if (answer.headersSent) {
    answer.destroy();
    return;
  }
  answer.writeHead(isDenied(error) ? 403 : 502, { 'Content-Type': 'text/plain', Connection: 'close' });
  answer.end(textOf(error));
}

const isDenied = (error: unknown) => isToolwrightError(error) && error.code === 'denied';
const statusOf = (error: unknown) => (isDenied(error) ? '403 Forbidden' : '502 Bad Gateway');
const textOf = (error: unknown) => `toolwright: ${messageOf(error)}\n`;
