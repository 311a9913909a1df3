/** Codes of a call's result. */
export const CALL_ERROR_CODES = [
  'unknown_tool',
  'not_offered',
  'invalid_json',
  'invalid_input',
  'duplicate_call',
  'denied',
  'blocked',
  'unanswered',
  'timeout',
  'cancelled',
  'sibling_aborted',
  'uncertain',
  'failed',
  'too_large',
  'unavailable',
  'internal',
] as const;
export type CallErrorCode = (typeof CALL_ERROR_CODES)[number];

/** Codes that the doors (library, HTTP, CLI) answer with. */
export type DoorErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'not_found'
  | 'conflict'
  | 'busy'
  | 'expired'
  | 'mismatch'
  | 'too_many'
  | 'internal';

export type ErrorCode = CallErrorCode | DoorErrorCode;

/** What went wrong with a call, as data: the model and the screen read it. */
export interface CallError {
  readonly code: CallErrorCode;
  readonly message: string;
  /** True when the same call may succeed later without being changed. */
  readonly retryable: boolean;
  /** What to do next. */
  readonly hint?: string;
}

export interface ToolwrightErrorOptions {
  readonly hint?: string;
  readonly retryable?: boolean;
  readonly cause?: unknown;
  /** Structured facts about the error, for screens and logs. */
  readonly data?: unknown;
}

/** The one error class of the house. Thrown by a tool, its code becomes the code of the result. */
export class ToolwrightError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly retryable: boolean;
  readonly data: unknown;

  constructor(code: ErrorCode, message: string, options: ToolwrightErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ToolwrightError';
    this.code = code;
    this.hint = options.hint;
    this.retryable = options.retryable ?? false;
    this.data = options.data;
  }
}

/** Told by shape, not by class, so that an error of a second copy of the package is known too. */
export function isToolwrightError(error: unknown): error is ToolwrightError {
  return error instanceof Error && error.name === 'ToolwrightError' && 'code' in error;
}

export function isCallErrorCode(code: unknown): code is CallErrorCode {
  return CALL_ERROR_CODES.includes(code as CallErrorCode);
}

/** The message of anything that can be thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  if (typeof error === 'string') return error;
  try {
    return JSON.stringify(error) ?? String(error);
  } catch {
    return String(error);
  }
}
