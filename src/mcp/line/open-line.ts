import {
  type AuthProvider,
  Client,
  InMemoryTransport,
  type OAuthClientProvider,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { messageOf, ToolwrightError } from '../../core/index.ts';
import type { McpEndpoint, McpServerConfig } from '../config/server-config.ts';
import { createInProcessServer } from '../in-process/create-in-process-server.ts';
import type { ProcessPorts } from './server-process.ts';
import { createStdioLine, type NotedTransport } from './stdio-line.ts';

export interface LinePorts extends ProcessPorts {
  readonly version: string;
  /** Signs in to a server that asks for it; absent where there is nobody to do so. */
  readonly authFor?: (config: McpServerConfig, url: string) => OAuthClientProvider | AuthProvider;
}

/** A server that has answered: the client to speak through and how to end it. */
export interface OpenLine {
  readonly client: Client;
  /** Why the line is down; empty while nothing is known. */
  postMortem(): string;
  close(): Promise<void>;
}

/** An older server that never answers an unknown question is asked the old way after this. */
const PROBE_MS = 5_000;

/** Checks nothing: what a server gives is judged by the room itself, patiently. */
const takesAll = {
  getValidator: () => (value: unknown) => ({ valid: true as const, data: value as never, errorMessage: undefined }),
};

export interface OpenLineOptions {
  /** Sets what the client answers to and listens for, before it speaks. */
  readonly prepare: (client: Client) => void;
  readonly signal: AbortSignal;
}

/** Starts or reaches a server and agrees on the protocol, within the connect timeout. Nothing is left of what fails. */
export async function openLine(config: McpServerConfig, options: OpenLineOptions, ports: LinePorts): Promise<OpenLine> {
  const { endpoint } = config;
  if (endpoint.kind === 'stdio') return connect(config, createStdioLine(config.name, endpoint, ports), options, ports);
  if (endpoint.kind === 'in-process') return openInProcess(config, endpoint, options, ports);
  const url = new URL(endpoint.url);
  const provider = endpoint.oauth ? ports.authFor?.(config, endpoint.url) : undefined;
  const shared = {
    requestInit: { headers: endpoint.headers },
    ...(provider === undefined ? {} : { authProvider: provider }),
  };
  const sse = () => connect(config, new SSEClientTransport(url, shared), options, ports);
  if (endpoint.kind === 'sse') return sse();
  try {
    return await connect(config, new StreamableHTTPClientTransport(url, shared), options, ports);
  } catch (error) {
    if (!endpoint.fallback || !isUnknownThere(error)) throw error;
    ports.log('debug', `the MCP server ${config.name} does not know Streamable HTTP; HTTP+SSE is tried`);
    return sse();
  }
}

/** What a server says that only knows the older transport. */
function isUnknownThere(error: unknown): boolean {
  const cause = error instanceof ToolwrightError ? error.cause : error;
  return cause instanceof SdkHttpError && [400, 404, 405].includes(cause.status);
}

async function openInProcess(
  config: McpServerConfig,
  { server: definition }: Extract<McpEndpoint, { kind: 'in-process' }>,
  options: OpenLineOptions,
  ports: LinePorts,
): Promise<OpenLine> {
  const server = createInProcessServer(definition);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs as never);
  return connect(config, ours, options, ports);
}

async function connect(
  config: McpServerConfig,
  transport: Transport | NotedTransport,
  { prepare, signal }: OpenLineOptions,
  ports: LinePorts,
): Promise<OpenLine> {
  const isLocal = config.endpoint.kind === 'in-process';
  const client = new Client(
    { name: 'toolwright', version: ports.version },
    {
      capabilities: { elicitation: { form: { applyDefaults: true } }, roots: {} },
      jsonSchemaValidator: takesAll,
      versionNegotiation: isLocal
        ? { mode: 'legacy' }
        : { mode: 'auto', probe: { timeoutMs: Math.min(PROBE_MS, config.timeouts.connect / 2) } },
    },
  );
  client.onerror = (error) =>
    ports.log('debug', `the line to the MCP server ${config.name} had a fault`, { error: messageOf(error) });
  prepare(client);
  const postMortem = () => ('postMortem' in transport ? transport.postMortem() : '');
  try {
    await bounded(client.connect(transport, { timeout: config.timeouts.connect + PROBE_MS }), config, signal, ports);
  } catch (error) {
    const why = postMortem();
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
    throw connectFault(config, error, why);
  }
  return {
    client,
    postMortem,
    async close() {
      await client.close().catch(() => {});
      await transport.close().catch(() => {});
    },
  };
}

/** The client library counts each exchange by itself; this counts the whole. */
function bounded(
  connecting: Promise<void>,
  { timeouts }: McpServerConfig,
  signal: AbortSignal,
  { clock }: LinePorts,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => done(() => reject(signal.reason));
    const timer = clock.after(timeouts.connect, () =>
      done(() => reject(new Error(`it did not answer within ${timeouts.connect / 1_000} s`))),
    );
    const done = (end: () => void) => {
      clock.clear(timer);
      signal.removeEventListener('abort', stop);
      end();
    };
    signal.addEventListener('abort', stop, { once: true });
    connecting.then(
      () => done(resolve),
      (error) => done(() => reject(error)),
    );
  });
}

function connectFault({ name, source }: McpServerConfig, error: unknown, postMortem: string): ToolwrightError {
  if (error instanceof ToolwrightError) return error;
  const why = postMortem === '' ? messageOf(error) : postMortem;
  return new ToolwrightError('unavailable', `the MCP server ${name} could not be reached: ${why}`, {
    hint: `Look at its entry in ${source}, or try it with: toolwright mcp test ${name}`,
    retryable: true,
    cause: error,
  });
}
