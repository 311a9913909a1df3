import type { Client } from '@modelcontextprotocol/client';
import { isToolwrightError, messageOf, type Timer, ToolwrightError } from '../../core/index.ts';
import type { McpServerConfig } from '../config/server-config.ts';
import { anyResult } from './any-result.ts';
import { callFault, faultKind } from './call-fault.ts';
import { listTools, type ToolList } from './list-tools.ts';
import { type LinePorts, type OpenLine, openLine } from './open-line.ts';

export type LineStatus = 'connecting' | 'ready' | 'down' | 'closed';

export interface LineState {
  readonly status: LineStatus;
  /** Why it is down. */
  readonly reason?: string;
  readonly tools: number;
  readonly protocol?: string;
}

export interface LineCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly readOnly: boolean;
  readonly signal: AbortSignal;
  progress(text: string): void;
}

export interface SupervisedLine {
  readonly state: LineState;
  /** Resolves when the first attempt has come to its end, whichever. */
  readonly tried: Promise<void>;
  /** A result as the server gave it. Throws ToolwrightError. */
  call(call: LineCall): Promise<Record<string, unknown>>;
  /** Reaches it anew when it is down, and reads its list again. */
  refresh(): Promise<void>;
  /** True when it has answered within five seconds. */
  probe(): Promise<boolean>;
  close(): Promise<void>;
}

export interface LineOptions {
  readonly config: McpServerConfig;
  readonly ports: LinePorts;
  readonly prepare: (client: Client) => void;
  /** The server's list was read for the first time, or again. */
  readonly onTools: (list: ToolList) => void;
}

const PROBE_MS = 5_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Attempts in a row without success; after that only a call or a refresh tries again. */
const MOST_ATTEMPTS = 8;
/** A line that stood for so long has earned a fresh count. */
const STEADY_MS = 30_000;
/** Notes of changes that come within this time are answered by one reading. */
const GATHER_MS = 100;
const PROGRESS_CHARS = 4_096;

/** One server's line: kept up, told why when it is down, shared by everybody who calls the server's tools. */
export function createSupervisedLine({ config, ports, prepare, onTools }: LineOptions): SupervisedLine {
  const { clock, log } = ports;
  const { name, timeouts } = config;
  const closing = new AbortController();
  let live: { readonly line: OpenLine; readonly since: number; tools: number } | undefined;
  let connecting: Promise<void> | undefined;
  let reason: string | undefined;
  let permanent = false;
  let attempts = 0;
  let retry: Timer | undefined;
  let gather: Timer | undefined;
  let reading: Promise<void> | undefined;
  let readAgain = false;

  const attempt = async (): Promise<void> => {
    let opened: OpenLine | undefined;
    try {
      const line = await openLine(config, { prepare: listenTo, signal: closing.signal }, ports);
      opened = line;
      const list = await listTools(line.client, timeouts.list, closing.signal);
      closing.signal.throwIfAborted();
      live = { line, since: clock.now(), tools: list.tools.length };
      if (isModern(line.client)) void line.client.listen({ toolsListChanged: true }).catch(() => {});
      reason = undefined;
      line.client.onclose = () => lost(line);
      onTools(list);
    } catch (error) {
      await opened?.close();
      if (closing.signal.aborted) return;
      reason = messageOf(error);
      permanent = isToolwrightError(error) && (error.data as { permanent?: boolean } | undefined)?.permanent === true;
      log('warn', reason);
      scheduleRetry();
    }
  };
  const connect = (): Promise<void> => {
    if (retry) clock.clear(retry);
    retry = undefined;
    connecting ??= attempt().finally(() => {
      connecting = undefined;
    });
    return connecting;
  };
  const scheduleRetry = (): void => {
    if (closing.signal.aborted || permanent || retry !== undefined || ++attempts > MOST_ATTEMPTS) return;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS) * (0.75 + Math.random() / 2);
    retry = clock.after(wait, () => {
      retry = undefined;
      void connect();
    });
    retry.unref?.();
  };
  const lost = (line: OpenLine): void => {
    if (live?.line !== line || closing.signal.aborted) return;
    if (clock.now() - live.since > STEADY_MS) attempts = 0;
    live = undefined;
    reason = line.postMortem() || 'the line was closed';
    log('warn', `the MCP server ${name} is gone: ${reason}`);
    void line.close();
    scheduleRetry();
  };
  /** Ends a line that is no good and opens another; whoever asks meanwhile waits for the same one. */
  const replace = async (line: OpenLine): Promise<void> => {
    if (live?.line === line) {
      live = undefined;
      void line.close();
    }
    await connect();
  };

  const listenTo = (client: Client): void => {
    prepare(client);
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      gather ??= clock.after(GATHER_MS, () => {
        gather = undefined;
        void readList();
      });
    });
  };
  /** One reading at a time; a change that is told meanwhile makes it read once more. */
  const readList = (): Promise<void> => {
    if (reading !== undefined) {
      readAgain = true;
      return reading;
    }
    reading = (async () => {
      for (let failures = 0; live !== undefined && !closing.signal.aborted; ) {
        readAgain = false;
        try {
          const list = await listTools(live.line.client, timeouts.list, closing.signal);
          if (live !== undefined) live.tools = list.tools.length;
          onTools(list);
          if (!readAgain) return;
        } catch (error) {
          log('warn', `the list of the MCP server ${name} could not be read again`, { error: messageOf(error) });
          if (++failures > 2) return;
          await pause(FIRST_WAIT_MS * failures);
        }
      }
    })().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      clock.after(ms, resolve).unref?.();
    });

  const probe = async (): Promise<boolean> => {
    const { client } = live?.line ?? {};
    if (client === undefined) return false;
    try {
      await client.ping({ timeout: PROBE_MS });
      return true;
    } catch (error) {
      if (faultKind(error) === 'refused') return true;
      return client.request({ method: 'tools/list', params: {} }, anyResult, { timeout: PROBE_MS }).then(
        () => true,
        () => false,
      );
    }
  };

  const send = (line: OpenLine, { tool, input, signal, progress }: LineCall): Promise<Record<string, unknown>> => {
    const total = config.toolTimeouts[tool] ?? timeouts.call;
    return line.client.request({ method: 'tools/call', params: { name: tool, arguments: { ...input } } }, anyResult, {
      signal,
      timeout: Math.min(timeouts.idle, total),
      resetTimeoutOnProgress: true,
      maxTotalTimeout: total,
      onprogress: (note) => progress(progressText(note)),
    });
  };

  const tried = connect();
  return {
    tried,
    get state() {
      const status: LineStatus = closing.signal.aborted
        ? 'closed'
        : live
          ? 'ready'
          : connecting
            ? 'connecting'
            : 'down';
      const protocol = live?.line.client.getNegotiatedProtocolVersion();
      return {
        status,
        ...(reason === undefined || live ? {} : { reason }),
        tools: live?.tools ?? 0,
        ...(protocol === undefined ? {} : { protocol }),
      };
    },
    async call(call) {
      if (live === undefined) {
        if (!permanent && connecting === undefined && retry === undefined) void connect();
        throw downFault(name, connecting ? 'it is still being reached' : (reason ?? 'it is not there'));
      }
      const { line } = live;
      const fail = async (error: unknown, used: OpenLine): Promise<never> => {
        if (call.signal.aborted) throw call.signal.reason;
        if (faultKind(error) === 'timeout') void probe().then((healthy) => (healthy ? undefined : replace(used)));
        const timeoutMs = Math.min(timeouts.idle, config.toolTimeouts[call.tool] ?? timeouts.call);
        throw callFault(error, {
          server: name,
          tool: call.tool,
          readOnly: call.readOnly,
          postMortem: used.postMortem(),
          timeoutMs,
        });
      };
      try {
        return await send(line, call);
      } catch (error) {
        if (faultKind(error) !== 'session_gone' || call.signal.aborted) return fail(error, line);
        // A server that knows the session no more has not run the call, so it may be sent again, once.
        await replace(line);
        const next = live?.line as OpenLine | undefined;
        if (next === undefined) throw downFault(name, reason ?? 'its session ended');
        return send(next, call).catch((second) => fail(second, next));
      }
    },
    async refresh() {
      attempts = 0;
      permanent = false;
      if (live === undefined) await connect();
      else await readList();
    },
    probe,
    async close() {
      if (closing.signal.aborted) return;
      closing.abort(new Error('the line is being closed'));
      for (const timer of [retry, gather]) if (timer) clock.clear(timer);
      const line = live?.line;
      live = undefined;
      await line?.close();
      await connecting?.catch(() => {});
    },
  };
}

/** From 2026-07-28 on a client says what it wants to hear of. */
function isModern(client: Client): boolean {
  return (client.getNegotiatedProtocolVersion() ?? '') >= '2026-07-28';
}

function progressText({
  progress,
  total,
  message,
}: {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}): string {
  if (typeof message === 'string' && message !== '') return `${message.slice(0, PROGRESS_CHARS)}\n`;
  return `${total === undefined ? progress : `${progress}/${total}`}\n`;
}

function downFault(name: string, reason: string): ToolwrightError {
  return new ToolwrightError('unavailable', `The MCP server ${name} cannot be used now: ${reason}.`, {
    retryable: true,
    hint: 'It comes back by itself when it can; go on without it, or try later.',
  });
}
