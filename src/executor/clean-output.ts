import {
  type CallError,
  type Content,
  callError,
  headOf,
  isCallErrorCode,
  isObject,
  type Log,
  type Masker,
  type Part,
  type StoredOutput,
  type ToolOutput,
} from '../core/index.ts';
import { maskJson } from './mask-json.ts';
import { plainJson } from './plain-json.ts';

export interface CleanOptions {
  readonly name: string;
  readonly masker: Masker | undefined;
  readonly log: Log;
}

/** Data is for screens and logs; a longer one would stand in every row and event of the call. */
const MOST_DATA_CHARS = 200_000;
const MOST_ERROR_CHARS = 2_000;

/**
 * An output as the house keeps it, whatever a tool or a hook gave: parts that every provider takes, an error
 * of the known form, data that is JSON, and no secret in either. The text itself is masked where it is bounded.
 */
export function cleanOutput(output: ToolOutput, options: CleanOptions): ToolOutput {
  const data = output.data === undefined ? undefined : cleanData(output.data, options);
  const error = cleanError(output.error, options.masker);
  const stored = isStored(output.stored) ? output.stored : undefined;
  return {
    content: cleanContent(output.content),
    ...(data === undefined ? {} : { data }),
    ...(error === undefined ? {} : { error }),
    ...(stored === undefined ? {} : { stored }),
  };
}

function cleanContent(content: Content): Content {
  if (typeof content === 'string') return content;
  const parts = content.map(cleanPart).filter((part) => part.type === 'image' || part.text !== '');
  return parts.length > 0 ? parts : '';
}

function cleanPart(part: Part): Part {
  if (part.type === 'text') {
    return typeof part.text === 'string' ? part : { type: 'text', text: String(part.text ?? '') };
  }
  const { mimeType, data } = part as { mimeType?: unknown; data?: unknown };
  const bytes = data instanceof Uint8Array ? Buffer.from(data).toString('base64') : data;
  if (typeof mimeType === 'string' && mimeType !== '' && typeof bytes === 'string' && bytes !== '') {
    return { type: 'image', mimeType, data: bytes };
  }
  return { type: 'text', text: '(a picture that cannot be shown: its mimeType or its base64 data is missing)' };
}

function cleanError(error: unknown, masker: Masker | undefined): CallError | undefined {
  if (error === undefined || error === null || error === false) return undefined;
  const { code, message, hint, retryable } = isObject(error) ? error : { message: error };
  const text = (value: string) => headOf(masker ? masker.mask(value) : value, MOST_ERROR_CHARS);
  return callError(
    isCallErrorCode(code) ? code : 'failed',
    text(typeof message === 'string' && message !== '' ? message : 'the tool gave no reason'),
    { retryable: retryable === true, ...(typeof hint === 'string' ? { hint: text(hint) } : {}) },
  );
}

function cleanData(data: unknown, { name, masker, log }: CleanOptions): unknown {
  const plain = plainJson(data);
  if (plain === undefined) {
    log('warn', `${name} gave data that is no JSON value; it was left out`);
    return undefined;
  }
  const text = JSON.stringify(plain);
  if (text.length > MOST_DATA_CHARS) {
    log('warn', `${name} gave ${text.length} characters of data; they were left out`);
    return undefined;
  }
  return masker ? maskJson(plain, masker, text) : plain;
}

function isStored(stored: unknown): stored is StoredOutput {
  if (!isObject(stored)) return false;
  const { id, path, bytes } = stored;
  return typeof id === 'string' && typeof path === 'string' && Number.isFinite(bytes);
}
