import { isObject, type ModelFault } from '../../core/index.ts';

const RETRYABLE = new Set([408, 409, 425, 429]);

/** True when a request that was answered with this status may succeed later. */
export function isRetryableStatus(status: number): boolean {
  return RETRYABLE.has(status) || status >= 500;
}

/** How long a `Retry-After` header asks to wait, in seconds or as a date. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, Math.round(seconds * 1_000));
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** The fault of an error that stands in the stream or in a reply of status 200. */
export function errorFault(value: Record<string, unknown>): ModelFault {
  const error = isObject(value.error) ? value.error : value;
  const status = [error.code, error.status, error.status_code, value.code].map(Number).find(isErrorStatus);
  const permanent = /invalid|authentication|permission|not_found|insufficient_quota|context_length/i;
  const kind = `${String(error.type ?? '')} ${String(error.code ?? '')}`;
  return {
    message: messageIn(value) ?? 'the server sent an error without a message',
    retryable: status === undefined ? !permanent.test(kind) : isRetryableStatus(status),
    ...(status === undefined ? {} : { status }),
  };
}

/** The fault of an answer with an error status; its body may be JSON, HTML or text. */
export function statusFault(status: number, statusText: string, body: string, retryAfter?: number): ModelFault {
  const said = messageIn(parsedOr(body)) ?? plainText(body);
  const head = `HTTP ${status}${statusText === '' ? '' : ` ${statusText}`}`;
  return {
    message: said === '' ? head : `${head}: ${said}`,
    status,
    retryable: isRetryableStatus(status),
    ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter }),
  };
}

const MESSAGE_CHARS = 500;
const isErrorStatus = (status: number) => Number.isInteger(status) && status >= 400 && status < 600;

function parsedOr(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The message of an error body, in the forms that servers use. */
function messageIn(value: unknown): string | undefined {
  if (Array.isArray(value)) return messageIn(value[0]);
  if (!isObject(value)) return undefined;
  for (const found of [value.error, value.message, value.detail]) {
    if (typeof found === 'string' && found.trim() !== '') return found.trim().slice(0, MESSAGE_CHARS);
    if (isObject(found) || Array.isArray(found)) {
      const inner = messageIn(found);
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}

/** What a person would read of an HTML or text body, as one short line. */
function plainText(body: string): string {
  return body
    .slice(0, 8_192)
    .replace(/<(script|style)\b[^>]*>[^<]*/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
}
