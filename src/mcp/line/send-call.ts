import type { Progress } from '@modelcontextprotocol/client';
import { type Clock, onAbort, type Timer, ToolwrightError } from '../../core/index.ts';
import type { Connection } from './connection.ts';
import type { RunningCall, RunningCalls } from './running-calls.ts';
import { factsOf, surelyDidNotRun, unavailable } from './server-error.ts';

export interface CallParts {
  readonly tool: string;
  readonly arguments: unknown;
  readonly inputSchema: unknown;
  readonly signal: AbortSignal;
  /** It changes nothing: whether it ran does not matter. */
  readonly readOnly: boolean;
  readonly timeoutMs: number;
  readonly running: RunningCall;
  readonly onProgress: (progress: Progress) => void;
}

export interface SendOptions {
  readonly server: string;
  readonly clock: Clock;
  /** The longest silence; progress starts it anew. */
  readonly idleMs: number;
  readonly running: RunningCalls;
}

/** Sends one call and waits for its answer, its end by signal, or the end of its time, of which the server is told. */
export async function sendCall(connection: Connection, parts: CallParts, options: SendOptions): Promise<unknown> {
  const { clock, server } = options;
  const controller = new AbortController();
  const stop = (error: Error) => controller.abort(error);
  const tooLong = (why: string) =>
    new ToolwrightError('timeout', `${parts.tool} of the MCP server ${server} was ended: ${why}.`, {
      retryable: true,
      hint: parts.readOnly
        ? 'Try again with less to do.'
        : 'It may have done part of its work; look before you call it again.',
    });
  const hard = clock.after(parts.timeoutMs, () => stop(tooLong(`it took longer than ${seconds(parts.timeoutMs)}`)));
  const idleMs = Math.min(options.idleMs, parts.timeoutMs);
  let heard = clock.now();
  let idle: Timer | undefined;
  const listen = (ms: number) => {
    idle = clock.after(ms, () => {
      const silence = clock.now() - heard;
      if (silence >= idleMs) stop(tooLong(`it told nothing for ${seconds(idleMs)}`));
      else listen(idleMs - silence);
    });
  };
  if (idleMs < parts.timeoutMs) listen(idleMs);
  const off = onAbort(parts.signal, () => stop(parts.signal.reason as Error));
  const done = options.running.add(parts.running);
  const request = { name: parts.tool, arguments: parts.arguments as Record<string, unknown> };
  const onProgress = (progress: Progress) => {
    heard = clock.now();
    parts.onProgress(progress);
  };
  try {
    return connection.era === 'modern'
      ? await callModern(connection, request, parts, controller.signal, onProgress)
      : await connection.request('tools/call', request, { signal: controller.signal, onProgress });
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    done();
    off();
    clock.clear(hard);
    if (idle !== undefined) clock.clear(idle);
  }
}

/** The newer protocol carries marked arguments in headers too, which the SDK makes from the definition. */
async function callModern(
  connection: Connection,
  request: { name: string; arguments: Record<string, unknown> },
  parts: CallParts,
  signal: AbortSignal,
  onprogress: (progress: Progress) => void,
): Promise<unknown> {
  const inputSchema = { type: 'object', ...(parts.inputSchema as object) } as { type: 'object' };
  return connection.client.callTool(request, {
    signal,
    onprogress,
    timeout: 2_147_483_647,
    toolDefinition: { name: request.name, inputSchema },
  });
}

const seconds = (ms: number) => (ms >= 1_000 ? `${Math.round(ms / 100) / 10} s` : `${ms} ms`);

/** An error of the line as the call's own: a lost connection says how the server ended, and whether the call may have run. */
export function callFault(error: unknown, connection: Connection, parts: CallParts, server: string): unknown {
  if (error instanceof ToolwrightError || parts.signal.aborted) return error;
  const facts = factsOf(error);
  const { kind, status, system, message } = facts;
  const wasLost = kind === 'CONNECTION_CLOSED' || message.startsWith('Not connected');
  if (status === undefined && system === undefined && !wasLost) return error;
  const said = wasLost ? ['the connection was lost', connection.lastWords()].filter(Boolean).join('; ') : message;
  if (surelyDidNotRun(facts)) return unavailable(server, said);
  return new ToolwrightError(
    parts.readOnly ? 'failed' : 'uncertain',
    `${parts.tool} of the MCP server ${server}: ${said}`,
    {
      retryable: parts.readOnly,
      hint: parts.readOnly
        ? 'Try again later.'
        : 'Nobody knows whether it took effect; find out before you call it again.',
    },
  );
}
