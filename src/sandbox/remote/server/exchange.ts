import type { IncomingMessage, ServerResponse } from 'node:http';
import { isAbsolute } from 'node:path';
import { ToolwrightError } from '../../../core/index.ts';
import type { HeldBytes } from './read-body.ts';

/** One request and what is needed to answer it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly held: HeldBytes;
}

const STATUS: Readonly<Record<string, number>> = {
  invalid_request: 400,
  invalid_input: 400,
  unauthorized: 401,
  denied: 403,
  not_found: 404,
  conflict: 409,
  expired: 410,
  too_large: 413,
  failed: 422,
  too_many: 429,
  unavailable: 503,
};

export const statusOf = (code: string): number => STATUS[code] ?? 500;

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.byteLength });
  response.end(body);
}

/** Resolves when all was handed over or nobody takes it any more. */
export function sendBytes(response: ServerResponse, bytes: Uint8Array, headers: Record<string, string> = {}) {
  return new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': bytes.byteLength,
      ...headers,
    });
    response.end(bytes, () => resolve());
  });
}

/** The path of a file method: whole and absolute. Where it leads is judged when it is opened. */
export function pathOf(query: URLSearchParams): string {
  const path = textOf(query, 'path');
  if (path.includes('\0')) {
    throw new ToolwrightError('invalid_input', 'The path holds a NUL character, which no file name can hold.');
  }
  if (!isAbsolute(path)) throw new ToolwrightError('invalid_input', 'The path is not absolute.');
  return path;
}

export function textOf(query: URLSearchParams, name: string): string {
  const text = query.get(name);
  if (text === null) throw new ToolwrightError('invalid_request', `the parameter ${name} is missing`);
  return text;
}
