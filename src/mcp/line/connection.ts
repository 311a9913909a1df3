import type { Client, Progress, Transport } from '@modelcontextprotocol/client';
import { type Clock, isObject, type Log, onAbort, ToolwrightError } from '../../core/index.ts';
import type { ServerConfig } from '../config/server-config.ts';
import type { StdioTransport } from '../stdio/stdio-transport.ts';
import { bounded } from './bounded.ts';
import { factsOf } from './server-error.ts';

export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** One life of the line to a server. */
export interface Connection {
  readonly era: 'modern' | 'legacy';
  readonly serverInfo: { readonly name?: string; readonly version?: string };
  readonly protocolVersion: string;
  readonly client: Client;
  /** Sends a request and gives its result as it came. Ends when the signal does, and tells the server so. */
  request(
    method: 'tools/list' | 'tools/call',
    params: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<unknown>;
  /** Answered within the time: it is alive. */
  ping(ms: number): Promise<void>;
  /** How it ended, with what the process last said; empty while nothing is known. */
  lastWords(): string;
  close(): Promise<void>;
}

type LineKind = ServerConfig['target']['kind'];

export interface ConnectOptions {
  readonly name: string;
  readonly config: ServerConfig;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly clock: Clock;
  readonly log: Log;
  readonly openTransport: (kind: LineKind) => Promise<Transport>;
  /** Sets up what the server may ask of us, before anything is sent. */
  readonly prepare: (client: Client) => void;
  readonly capabilities: Record<string, unknown>;
  readonly onClose: (connection: Connection) => void;
  readonly onToolsChanged: () => void;
  /** What an earlier connection learned: the newer protocol is not looked for again. */
  readonly isLegacy: boolean;
  /** The line is being closed. */
  readonly signal: AbortSignal;
}

/** A server that does not answer the question for the newer protocol in this time gets the older handshake. */
const PROBE_MS = 3_000;
/** Our own timers end a request; the SDK's is set so far off that it never does. */
const NEVER_MS = 2_147_483_647;
const CLOSE_MS = 6_000;
const STDERR_SHOWN = 2_000;
const FALLBACK_STATUS = new Set([400, 404, 405, 406, 415]);

/** Takes every result as it is: what is wrong with one is told by who reads it. */
const asItIs = {
  '~standard': { version: 1, vendor: 'toolwright', validate: (value: unknown) => ({ value }) },
} as const;

/** Opens the line within the connect timeout, whichever protocol and transport the server speaks. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { config } = options;
  const { target } = config;
  const began = options.clock.now();
  const left = () => Math.max(1, config.timeouts.connect - (options.clock.now() - began));
  try {
    return await open(options, target.kind, options.isLegacy, left());
  } catch (error) {
    const { status, kind } = factsOf(error);
    if (target.kind === 'stdio' && kind === 'ERA_NEGOTIATION_FAILED' && !options.isLegacy) {
      // It ended at a question that it did not know; the handshake that it knows comes first this time.
      return await open(options, 'stdio', true, left());
    }
    const isUnknown = (status !== undefined && FALLBACK_STATUS.has(status)) || kind === 'ERA_NEGOTIATION_FAILED';
    if (target.kind === 'http' && target.mayFallBack && isUnknown) {
      return await open(options, 'sse', true, left()).catch(() => {
        throw error;
      });
    }
    throw error;
  }
}

async function open(options: ConnectOptions, kind: LineKind, isLegacy: boolean, ms: number): Promise<Connection> {
  const { clock, log } = options;
  const { Client, SseError } = await import('@modelcontextprotocol/client');
  const transport = await options.openTransport(kind);
  const process = kind === 'stdio' ? (transport as StdioTransport) : undefined;
  const client = new Client(options.clientInfo, {
    capabilities: options.capabilities,
    versionNegotiation: {
      mode: isLegacy || kind === 'sse' || kind === 'in-process' ? 'legacy' : 'auto',
      probe: { timeoutMs: kind === 'stdio' ? Math.min(PROBE_MS, Math.ceil(ms / 2)) : ms },
    },
  });
  let connection: Connection | undefined;
  client.onerror = (error) => {
    log('debug', 'line error', { message: factsOf(error).message });
    // The stream of the older transport carries all answers: without it the session is over.
    if (error instanceof SseError && connection !== undefined) void connection.close();
  };
  client.onclose = () => {
    if (connection !== undefined) options.onClose(connection);
  };
  options.prepare(client);
  client.setNotificationHandler('notifications/tools/list_changed', () => options.onToolsChanged());
  const lastWords = () => (process === undefined ? '' : endOf(process));
  const controller = new AbortController();
  const off = onAbort(options.signal, () => {
    controller.abort();
    void transport.close();
  });
  const tooLate = () =>
    new ToolwrightError('unavailable', `it did not connect within ${ms} ms`, {
      hint: 'Raise timeouts.connect of the server, or look at why it starts so slowly.',
    });
  try {
    const connecting = client.connect(transport, { timeout: NEVER_MS, signal: controller.signal });
    await bounded(clock, ms, connecting, tooLate, () => controller.abort());
  } catch (error) {
    const said = lastWords();
    await shut(client, transport, clock);
    const words = lastWords() || said;
    if (words !== '' && error instanceof Error) error.message = `${error.message}; ${words}`;
    throw error;
  } finally {
    off();
  }
  const made: Connection = {
    era: client.getProtocolEra() === 'modern' ? 'modern' : 'legacy',
    serverInfo: client.getServerVersion() ?? {},
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    client,
    request: (method, params, { signal, onProgress }) => {
      const sent = { signal, timeout: NEVER_MS, ...(onProgress === undefined ? {} : { onprogress: onProgress }) };
      return client.request({ method, params }, asItIs, sent);
    },
    async ping(pingMs) {
      const stop = new AbortController();
      const request =
        made.era === 'legacy'
          ? client.ping({ signal: stop.signal, timeout: NEVER_MS })
          : made.request('tools/list', {}, { signal: stop.signal });
      const silent = () => new ToolwrightError('unavailable', `it gave no sign of life within ${pingMs} ms`);
      await bounded(clock, pingMs, Promise.resolve(request), silent, () => stop.abort());
    },
    lastWords,
    close: () => shut(client, transport, clock),
  };
  connection = made;
  if (process?.exit !== undefined) throw new ToolwrightError('unavailable', `it ended; ${lastWords()}`);
  if (made.era === 'modern' && isObject(client.getServerCapabilities()?.tools)) {
    client.listen({ toolsListChanged: true }, { timeout: ms }).catch((error: unknown) => {
      log('debug', 'no news of its tools', { message: factsOf(error).message });
    });
  }
  return made;
}

function endOf(process: StdioTransport): string {
  const { exit } = process;
  const stderr = process.lastWords(STDERR_SHOWN);
  const how = exit === undefined ? '' : exit.signal === null ? `exit code ${exit.code}` : `ended by ${exit.signal}`;
  return [how, stderr === '' ? '' : `stderr: ${stderr}`].filter((part) => part !== '').join('; ');
}

/** Ends the server's session politely, then the line; never waits long. */
async function shut(client: Client, transport: Transport, clock: Clock): Promise<void> {
  const ending = transport as Transport & { terminateSession?: () => Promise<void> };
  const goodbye = async () => {
    if (transport.sessionId !== undefined) {
      const asked = Promise.resolve(ending.terminateSession?.()).catch(() => {});
      await bounded(clock, 1_000, asked, () => new Error('no answer')).catch(() => {});
    }
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
  };
  await bounded(clock, CLOSE_MS, goodbye(), () => new Error('it does not end')).catch(() => {});
}
