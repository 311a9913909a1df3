import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject } from '../../core/index.ts';

export interface ReadLine {
  readonly messages: readonly JSONRPCMessage[];
  /** What stood on the line and was no message. */
  readonly junk?: string;
}

const INTERNAL_ERROR = -32_603;
const OPENING = /\{\s*"(?:jsonrpc|id|result|error|method|params)"\s*:/g;
/** Places of a line that are tried as the beginning of a message glued behind noise. */
const MOST_TRIES = 20;

/** What a line of a server's output says. Noise before a message on the same line is told apart from it. */
export function readLine(line: string): ReadLine {
  const text = line.trim();
  if (text === '') return { messages: [] };
  const whole = parse(text);
  if (whole !== undefined) {
    const messages = (Array.isArray(whole) ? whole : [whole]).flatMap((each) => asMessage(each) ?? []);
    return messages.length > 0 ? { messages } : { messages, junk: text };
  }
  let tries = 0;
  for (const { index } of text.matchAll(OPENING)) {
    if (++tries > MOST_TRIES) break;
    const message = asMessage(parse(text.slice(index)));
    if (message !== undefined) return { messages: [message], junk: text.slice(0, index) };
  }
  return { messages: [], junk: text };
}

/** An error in the place of an answer that was dropped because of its size; undefined when it was no answer. */
export function tooLongAnswer(ends: string, limit: string): JSONRPCMessage | undefined {
  const id = [...ends.matchAll(/"id"\s*:\s*(\d+)/g)].at(-1)?.[1];
  return id === undefined ? undefined : errorAnswer(Number(id), `the answer is longer than ${limit}`);
}

export function errorAnswer(id: string | number, message: string, code = INTERNAL_ERROR): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function parse(text: string): unknown {
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value as a message; an answer that breaks the rules becomes an error answer, so that its call ends. */
function asMessage(value: unknown): JSONRPCMessage | undefined {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return undefined;
  const { id, method, params } = value;
  if (typeof method === 'string')
    return params === undefined || isObject(params) ? (value as JSONRPCMessage) : undefined;
  if (typeof id !== 'string' && !Number.isInteger(id)) return undefined;
  const answerTo = id as string | number;
  if (value['error'] !== undefined && value['error'] !== null) {
    const error = isObject(value['error']) ? value['error'] : {};
    const code = Number.isInteger(error['code']) ? (error['code'] as number) : INTERNAL_ERROR;
    const message = typeof error['message'] === 'string' ? error['message'] : 'an error without a message';
    return { jsonrpc: '2.0', id: answerTo, error: { ...error, code, message } };
  }
  if (isObject(value['result'])) return { jsonrpc: '2.0', id: answerTo, result: value['result'] };
  if (!('result' in value) && !('error' in value)) return undefined;
  return errorAnswer(answerTo, `the server answered with ${JSON.stringify(value['result'] ?? null).slice(0, 100)}`);
}
