import { type CallError, type CallErrorCode, isCallErrorCode, isToolwrightError, messageOf } from './error.ts';
import type { Content } from './message.ts';

/** A whole output that was kept outside the conversation. */
export interface StoredOutput {
  readonly id: string;
  /** `outputs/<file>`, as read_file and grep_files take it. */
  readonly path: string;
  readonly bytes: number;
}

/** What a tool may return beside a plain string or JSON value: text for the model, data for the screen. */
export interface ToolOutput {
  readonly content: Content;
  readonly data?: unknown;
  readonly error?: CallError;
  readonly stored?: StoredOutput;
}

/** The one answer of a call. */
export interface ToolResult extends ToolOutput {
  readonly callId: string;
  readonly name: string;
  readonly durationMs: number;
}

const OUTPUT_KEYS = new Set(['content', 'data', 'error', 'stored']);

/** A ToolOutput is known by its shape: an object with `content` as text or parts and no key of its own. */
export function isToolOutput(value: unknown): value is ToolOutput {
  if (typeof value !== 'object' || value === null || !('content' in value)) return false;
  const { content } = value as { content: unknown };
  const isContent =
    typeof content === 'string' ||
    (Array.isArray(content) && content.every((part) => part?.type === 'text' || part?.type === 'image'));
  return isContent && Object.keys(value).every((key) => OUTPUT_KEYS.has(key));
}

export function callError(
  code: CallErrorCode,
  message: string,
  extra: { hint?: string; retryable?: boolean } = {},
): CallError {
  const error = { code, message, retryable: extra.retryable ?? false };
  return extra.hint === undefined ? error : { ...error, hint: extra.hint };
}

/** Anything thrown below a tool, as the error of its result. */
export function toCallError(error: unknown, fallback: CallErrorCode = 'failed'): CallError {
  if (!isToolwrightError(error)) return callError(fallback, messageOf(error));
  const code = isCallErrorCode(error.code) ? error.code : fallback;
  return callError(code, error.message, {
    retryable: error.retryable,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  });
}

/** An error result's text for the model: code, what was wrong, what to do next. */
export function errorText(error: CallError): string {
  const hint = error.hint ? `\nNext: ${error.hint}` : '';
  return `Error [${error.code}]: ${error.message}${hint}`;
}

export function errorOutput(error: CallError, data?: unknown): ToolOutput {
  const output = { content: errorText(error), error };
  return data === undefined ? output : { ...output, data };
}
