import { isObject, messageOf, sizeText, ToolwrightError } from '../../core/index.ts';

const LONGEST_MESSAGE = 1_000;

/** What an error of the SDK says about the line. Told by fields, since each has a class of its own. */
export interface ErrorFacts {
  /** JSON-RPC code. */
  readonly code?: number;
  /** The SDK's own code, a word. */
  readonly kind?: string;
  /** HTTP status. */
  readonly status?: number;
  /** Code of the system's error below it: ECONNREFUSED and the like. */
  readonly system?: string;
  readonly message: string;
}

export function factsOf(error: unknown): ErrorFacts {
  const raw = messageOf(error);
  const message = raw.length > LONGEST_MESSAGE ? `${raw.slice(0, LONGEST_MESSAGE)}… (${sizeText(raw.length)})` : raw;
  if (!isObject(error)) return { message };
  const { code } = error;
  const data = isObject(error['data']) ? error['data'] : {};
  const status = [error['status'], data['status'], error['code']].find(
    (value): value is number => typeof value === 'number' && value >= 100 && value < 600,
  );
  const system = systemCode(error);
  return {
    message,
    ...(typeof code === 'number' && code < 0 ? { code } : {}),
    ...(typeof code === 'string' ? { kind: code } : {}),
    ...(status === undefined ? {} : { status }),
    ...(system === undefined ? {} : { system }),
  };
}

function systemCode(error: unknown): string | undefined {
  for (let inner = error, depth = 0; isObject(inner) && depth < 5; inner = inner['cause'], depth++) {
    const code = inner['code'];
    if (typeof code === 'string' && /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code)) return code;
    const [first] = Array.isArray(inner['errors']) ? inner['errors'] : [];
    if (isObject(first) && typeof first['code'] === 'string') return first['code'];
  }
  return undefined;
}

const SESSION_GONE = /session/i;
const NEVER_REACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']);

/** The server has not seen the request, or has refused it before it ran: its session is over, or it cannot be reached. */
export function surelyDidNotRun({ status, code, message, system }: ErrorFacts): boolean {
  if (status === 404 || status === 410) return true;
  if (status === 400 && SESSION_GONE.test(message)) return true;
  if (code === -32_600 && SESSION_GONE.test(message)) return true;
  return system !== undefined && NEVER_REACHED.has(system);
}

export function unavailable(server: string, reason: string): ToolwrightError {
  return new ToolwrightError('unavailable', `the MCP server ${server} is not available: ${reason}`, {
    retryable: true,
    hint: 'It is being reconnected in the background. Go on without it, or try again later.',
  });
}
