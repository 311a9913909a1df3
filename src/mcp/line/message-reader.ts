import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject } from '../../core/index.ts';

/** A longer line is nobody's message. */
const LINE_BYTES = 64 * 1_048_576;
/** Places in a line of noise at which a message is looked for. */
const TRIES = 8;

export interface MessageReader {
  push(chunk: Buffer): void;
}

export interface MessageReaderOptions {
  readonly onMessage: (message: JSONRPCMessage) => void;
  /** A line that is no message, cut to a bearable length. */
  readonly onNoise: (line: string) => void;
}

/**
 * JSON-RPC messages, one a line, out of what a server prints. Whatever else it prints is told and passed over; a message
 * behind noise on the same line is found.
 */
export function createMessageReader({ onMessage, onNoise }: MessageReaderOptions): MessageReader {
  let pending: Buffer[] = [];
  let bytes = 0;
  let skipping = false;

  const take = (line: string): void => {
    const text = line.trim();
    if (text === '') return;
    const message = readMessage(text);
    if (message === undefined) onNoise(text.slice(0, 1_000));
    else onMessage(message);
  };
  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        const rest = chunk.subarray(start, end);
        start = end + 1;
        if (skipping) {
          skipping = false;
          continue;
        }
        const line = pending.length === 0 ? rest : Buffer.concat([...pending, rest]);
        pending = [];
        bytes = 0;
        take(line.toString('utf8'));
      }
      if (start === chunk.length || skipping) return;
      pending.push(chunk.subarray(start));
      bytes += chunk.length - start;
      if (bytes <= LINE_BYTES) return;
      onNoise(`a line of more than ${LINE_BYTES} bytes`);
      pending = [];
      bytes = 0;
      skipping = true;
    },
  };
}

function readMessage(text: string): JSONRPCMessage | undefined {
  let from = text.indexOf('{');
  for (let tries = 0; from >= 0 && tries < TRIES; tries++) {
    const message = parse(text.slice(from));
    if (message !== undefined) return message;
    from = text.indexOf('{"', from + 1);
  }
  return undefined;
}

function parse(text: string): JSONRPCMessage | undefined {
  if (!text.endsWith('}')) return undefined;
  try {
    return toMessage(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * A request, a note, or the answer to one. An answer is mended so that whoever waits for it hears of it: with both a
 * result and an error it counts as the error; an error says something; a result is an object.
 */
function toMessage(value: unknown): JSONRPCMessage | undefined {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return undefined;
  if (typeof value['method'] === 'string') return value as JSONRPCMessage;
  const { id, result, error } = value;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  if (error !== undefined && error !== null) return { jsonrpc: '2.0', id, error: toError(error) };
  if (!('result' in value)) return undefined;
  if (isObject(result)) return { jsonrpc: '2.0', id, result };
  const what = result === null ? 'null' : Array.isArray(result) ? 'a list' : `a ${typeof result}`;
  return { jsonrpc: '2.0', id, error: { code: INTERNAL, message: `it answered with ${what} where a result belongs` } };
}

/** JSON-RPC's internal error. */
const INTERNAL = -32_603;

function toError(error: unknown): { code: number; message: string; data?: unknown } {
  const { code, message, data } = isObject(error) ? error : { code: undefined, message: error, data: undefined };
  return {
    code: Number.isInteger(code) ? (code as number) : INTERNAL,
    message: typeof message === 'string' && message !== '' ? message : 'it gave an error without a word',
    ...(data === undefined ? {} : { data }),
  };
}
