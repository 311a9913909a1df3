import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { type Clock, sizeText, ToolwrightError } from '../../../core/index.ts';
import { LineFault, toLineFault } from './line-fault.ts';

/** A line on which nothing moves for so long is taken for dead; the server shows itself every five seconds. */
const IDLE_MS = 20_000;

export interface Asked {
  readonly method: string;
  /** Below the server's address. */
  readonly path: string;
  readonly body?: Uint8Array;
  readonly isJson?: boolean;
}

export interface Wire {
  readonly url: URL;
  readonly token: string;
  readonly agent: Agent;
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
  readonly clock: Clock;
}

/** While it is called the reader is busy, and the line may be silent. */
export type Hold = <Value>(work: () => Value | Promise<Value>) => Promise<Value>;

/**
 * One request over the wire. `use` reads the answer; every failure of the line is a LineFault, what `use` throws is
 * passed on. The signal ends it at any point.
 */
export async function exchange<Value>(
  wire: Wire,
  { method, path, body, isJson }: Asked,
  signal: AbortSignal,
  use: (answer: IncomingMessage, hold: Hold) => Promise<Value>,
): Promise<Value> {
  const { clock } = wire;
  const request = wire.request(new URL(wire.url.pathname.replace(/\/$/, '') + path, wire.url), {
    method,
    agent: wire.agent,
    signal,
    headers: {
      authorization: `Bearer ${wire.token}`,
      ...(isJson ? { 'content-type': 'application/json' } : {}),
      ...(body === undefined ? {} : { 'content-length': body.byteLength }),
    },
  });
  let isHeld = false;
  const hold: Hold = async (work) => {
    isHeld = true;
    try {
      return await work();
    } finally {
      isHeld = false;
    }
  };
  const moved = () => (isHeld ? '' : `${request.socket?.bytesRead}/${request.socket?.writableLength}`);
  const watch = (before: string) =>
    clock.after(IDLE_MS, () => {
      const now = moved();
      if (now === before && now !== '') request.destroy(new LineFault('nothing came for 20 s'));
      else timer = watch(now);
    });
  let timer = watch(moved());
  let answer: IncomingMessage | undefined;
  try {
    answer = await new Promise<IncomingMessage>((resolve, reject) => {
      // Stays, since a socket can fail again after the answer.
      request.on('error', (error) => reject(toLineFault(error, request.reusedSocket)));
      request.once('response', resolve);
      request.end(body);
    });
    return await use(answer, hold);
  } finally {
    clock.clear(timer);
    // Of an answer that was read to its end the connection is kept.
    if (!answer?.complete) request.destroy();
  }
}

/** Of an answer that is held whole. */
const MOST_BYTES = 512 * 1_048_576;

/** The whole body. */
export async function readAll(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      if (bytes > MOST_BYTES) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw toLineFault(error);
  }
  if (bytes > MOST_BYTES) {
    throw new ToolwrightError('too_large', `The sandbox server's answer is larger than ${sizeText(MOST_BYTES)}.`);
  }
  if (!answer.complete) throw new LineFault('the answer was cut off');
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}
