import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { type Log, sizeText } from '../../core/index.ts';
import { createLineReader, LONGEST_LINE } from './line-reader.ts';
import { readLine, tooLongAnswer } from './read-message.ts';
import type { ServerExit, ServerProcess } from './server-process.ts';

/** Lines of noise that are logged, and how much of each; the rest is dropped unseen. */
const MOST_NOISE = 50;
const NOISE_CHARS = 500;

export interface StdioTransport extends Transport {
  /** Known as a pipe to the SDK by these two. */
  readonly pid: number | null;
  readonly stderr: null;
  /** How the process ended; undefined while it lives. */
  readonly exit: ServerExit | undefined;
  lastWords(max: number): string;
}

/** A line to a server process. Noise on its stdout is logged and costs nothing else. */
export function createStdioTransport(start: () => Promise<ServerProcess>, log: Log): StdioTransport {
  let server: ServerProcess | undefined;
  let exit: ServerExit | undefined;
  let noise = 0;
  let open = true;
  const deliver = (message: JSONRPCMessage) => transport.onmessage?.(message);
  const reader = createLineReader(
    (line) => {
      const { messages, junk } = readLine(line);
      if (junk !== undefined && ++noise <= MOST_NOISE)
        log('debug', 'noise on stdout', { text: junk.slice(0, NOISE_CHARS) });
      for (const message of messages) deliver(message);
    },
    (ends) => {
      log('warn', `a line longer than ${sizeText(LONGEST_LINE)} was dropped`);
      const answer = tooLongAnswer(ends, sizeText(LONGEST_LINE));
      if (answer !== undefined) deliver(answer);
    },
  );
  const closed = () => {
    if (!open) return;
    open = false;
    transport.onclose?.();
  };
  const transport: StdioTransport = {
    stderr: null,
    get pid() {
      return server?.pid ?? null;
    },
    get exit() {
      return exit;
    },
    lastWords: (max) => server?.lastWords(max) ?? '',
    async start() {
      server = await start();
      if (!open) {
        await server.end();
        throw new Error('closed while it started');
      }
      server.stdout.on('data', (chunk: Uint8Array) => reader.push(chunk));
      void server.exited.then((how) => {
        exit = how;
        closed();
      });
    },
    async send(message) {
      if (!server?.write(`${JSON.stringify(message)}\n`)) throw new Error('the server takes no more messages');
    },
    async close() {
      closed();
      await server?.end();
    },
  };
  return transport;
}
