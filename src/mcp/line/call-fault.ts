import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { isToolwrightError, messageOf, ToolwrightError } from '../../core/index.ts';

/** What became of a call that gave no result. */
export type FaultKind = 'session_gone' | 'line_lost' | 'not_sent' | 'timeout' | 'refused' | 'other';

const SESSION_WORDS = /session (was )?(terminated|expired|closed|not found)|(unknown|invalid|no valid) session/i;
const NOT_REACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function faultKind(error: unknown): FaultKind {
  if (error instanceof SdkHttpError) {
    if (error.status === 404 || SESSION_WORDS.test(error.message)) return 'session_gone';
    return error.status === 401 || error.status === 403 ? 'refused' : 'other';
  }
  if (error instanceof ProtocolError) return SESSION_WORDS.test(error.message) ? 'session_gone' : 'refused';
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.RequestTimeout) return 'timeout';
    if (error.code === SdkErrorCode.ConnectionClosed) return 'line_lost';
    if (error.code === SdkErrorCode.NotConnected || error.code === SdkErrorCode.SendFailed) return 'not_sent';
    return 'other';
  }
  const code = codeIn(error);
  if (code !== undefined) return NOT_REACHED.has(code) ? 'not_sent' : 'line_lost';
  return error instanceof Error && /not running|reads no more|Not connected/i.test(error.message)
    ? 'not_sent'
    : 'other';
}

/** The system's code, however deep it lies: `fetch failed` keeps it as its cause. */
function codeIn(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === 'string' && /^(E[A-Z]|UND_ERR)/.test(code)) return code;
  }
  return undefined;
}

export interface FaultContext {
  readonly server: string;
  readonly tool: string;
  readonly readOnly: boolean;
  readonly postMortem: string;
  readonly timeoutMs: number;
}

/** The error of a call's result: what is known of it, and whether it may be sent again. */
export function callFault(error: unknown, context: FaultContext): ToolwrightError {
  if (isToolwrightError(error)) return error;
  const { server, tool, readOnly, postMortem, timeoutMs } = context;
  const because = postMortem === '' ? messageOf(error) : postMortem;
  const again = { retryable: true, cause: error };
  switch (faultKind(error)) {
    case 'not_sent':
    case 'session_gone':
      return new ToolwrightError(
        'unavailable',
        `${tool} was not run: the MCP server ${server} is not there (${because}).`,
        {
          ...again,
          hint: 'It is being reached again; try later, or go on without it.',
        },
      );
    case 'line_lost':
      return readOnly
        ? new ToolwrightError('unavailable', `The MCP server ${server} went away during ${tool}: ${because}.`, {
            ...again,
            hint: 'It only reads, so it may be called again.',
          })
        : new ToolwrightError('uncertain', `The MCP server ${server} went away during ${tool}: ${because}.`, {
            cause: error,
            hint: 'It may have done its work or not: look before you call it again.',
          });
    case 'timeout':
      return new ToolwrightError(
        'timeout',
        `${tool} of the MCP server ${server} gave no answer in ${timeoutMs / 1_000} s.`,
        {
          ...again,
          hint: 'It was told to stop. Give it less to do, or raise its timeouts in the settings.',
        },
      );
    case 'refused':
      return new ToolwrightError('failed', `The MCP server ${server} refused ${tool}: ${refusal(error)}`, {
        cause: error,
        hint: 'Read what it says; the call was not carried out as it was.',
      });
    case 'other':
      return new ToolwrightError('failed', `${tool} of the MCP server ${server} failed: ${because}`, { cause: error });
  }
}

function refusal(error: unknown): string {
  const text = messageOf(error);
  return error instanceof ProtocolError && !text.includes(String(error.code)) ? `${text} (code ${error.code})` : text;
}
