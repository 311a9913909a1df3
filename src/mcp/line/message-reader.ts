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
    const value: unknown = JSON.parse(text);
    return isMessage(value) ? (value as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** A request, a note, or the answer to one; an answer with both a result and an error counts as the error. */
function isMessage(value: unknown): boolean {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return false;
  if (typeof value['method'] === 'string') return true;
  if (!('id' in value)) return false;
  if ('error' in value && value['error'] !== null) delete value['result'];
  return 'result' in value || 'error' in value;
}
