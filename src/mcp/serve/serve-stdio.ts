import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { messageOf } from '../../core/index.ts';
import type { ServeOptions } from './serve-options.ts';
import { createServedLines } from './served-lines.ts';

export interface ServedDoor {
  /** Resolves when the client has gone or `close` has done its work. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export interface ServeStdioOptions extends ServeOptions {
  readonly input: Readable;
  readonly output: Writable;
}

/** Bytes of one message at the most. */
const MESSAGE_BYTES = 10 * 1_048_576;

/** The house for one client at the other end of two pipes (MCP, stdio). It ends when the client's end closes. */
export async function serveHouseOnStdio(options: ServeStdioOptions): Promise<ServedDoor> {
  const { houses, log } = options;
  const lines = createServedLines(options);
  const house = await houses.open();
  const servers = new Set<Server>();
  const transport = new StdioServerTransport(options.input, options.output, { maxBufferSize: MESSAGE_BYTES });
  const handle = serveStdio(
    () => {
      const server = lines.serverFor(house);
      servers.add(server);
      return server;
    },
    {
      transport,
      onerror: (error) => log('warn', 'the MCP client sent something odd', { error: messageOf(error) }),
    },
  );
  const offChange = houses.onChange((kind) => {
    for (const server of servers) void tell(server, kind);
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      offChange();
      lines.close();
      await handle.close().catch(() => {});
      await house.close();
    })();
    return closing;
  };
  const closed = new Promise<void>((resolve) => {
    const end = () => void close().then(resolve, resolve);
    options.input.once('end', end);
    options.input.once('close', end);
    options.output.once('error', end);
    options.output.once('close', end);
  });
  return { closed, close };
}

export async function tell(server: Server, kind: 'tools' | 'prompts' | 'resources'): Promise<void> {
  const sent = {
    tools: () => server.sendToolListChanged(),
    prompts: () => server.sendPromptListChanged(),
    resources: () => server.sendResourceListChanged(),
  }[kind]();
  await sent.catch(() => {});
}
