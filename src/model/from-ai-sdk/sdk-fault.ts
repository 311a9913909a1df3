import { isObject, type ModelFault, messageOf } from '../../core/index.ts';
import { errorFault, isRetryableStatus, retryAfterMs } from '../openai-compatible/error-fault.ts';

/** The fault of what a provider of the AI SDK threw, or put into its stream. */
export function sdkFault(error: unknown, now: number): ModelFault {
  if (!isObject(error)) return { message: messageOf(error), retryable: true };
  if (!(error instanceof Error)) return errorFault({ error });
  const { statusCode, isRetryable, responseHeaders } = error as {
    statusCode?: unknown;
    isRetryable?: unknown;
    responseHeaders?: unknown;
  };
  const headers = isObject(responseHeaders) ? responseHeaders : {};
  const wait = retryAfterMs(typeof headers['retry-after'] === 'string' ? headers['retry-after'] : undefined, now);
  const status = typeof statusCode === 'number' ? statusCode : undefined;
  const failed = status !== undefined && status >= 400;
  // A prompt or a setting that the provider's code refuses is refused again.
  const refused = /Unsupported|InvalidPrompt|InvalidArgument|LoadAPIKey|LoadSetting|NoSuchModel/.test(error.name);
  return {
    message: failed ? `HTTP ${status}: ${messageOf(error)}` : messageOf(error),
    retryable: failed ? isRetryableStatus(status) : isRetryable === undefined ? !refused : isRetryable === true,
    ...(failed ? { status } : {}),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}
