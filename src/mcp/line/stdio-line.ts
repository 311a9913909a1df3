import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { messageOf, ToolwrightError } from '../../core/index.ts';
import { createMessageReader } from './message-reader.ts';
import { type ProcessPorts, type ServerProcess, startServerProcess } from './server-process.ts';

export interface StdioEndpoint {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A line that can say why it is down. */
export interface NotedTransport extends Transport {
  /** With `stderr`: how the client library knows a stdio line, whose silence at first means an older server. */
  readonly pid: number | null;
  readonly stderr: null;
  /** Exit code or signal and the end of stderr; empty while nothing is wrong. */
  postMortem(): string;
}

/** Lines of noise that are logged; the rest is only counted. */
const NOISE_LINES = 50;
const POST_MORTEM_CHARS = 2_000;

/** MCP over a child's stdin and stdout (spec: transports, stdio), patient with what servers print beside the protocol. */
export function createStdioLine(name: string, endpoint: StdioEndpoint, ports: ProcessPorts): NotedTransport {
  let child: ServerProcess | undefined;
  let ended: string | undefined;
  let noise = 0;
  const line: NotedTransport = {
    stderr: null,
    get pid() {
      return child?.pid ?? null;
    },
    async start() {
      const reader = createMessageReader({
        onMessage: (message) => line.onmessage?.(message),
        onNoise(text) {
          noise++;
          if (noise <= NOISE_LINES) ports.log('debug', `the MCP server ${name} printed something else`, { text });
        },
      });
      try {
        child = await startServerProcess({ ...endpoint, onOutput: (chunk) => reader.push(chunk) }, ports);
      } catch (error) {
        throw startFault(name, endpoint, error);
      }
      void child.exited.then((how) => {
        ended = how;
        line.onclose?.();
      });
    },
    async send(message: JSONRPCMessage) {
      if (child === undefined || ended !== undefined) throw new Error(`the server ${name} is not running`);
      await child.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      await child?.end();
      if (child === undefined) line.onclose?.();
    },
    postMortem() {
      if (ended === undefined) return '';
      const last = (child?.stderr ?? '').trim().slice(-POST_MORTEM_CHARS);
      return `it ended with ${ended}${last === '' ? '' : `; the end of its stderr:\n${last}`}`;
    },
  };
  return line;
}

function startFault(name: string, { command, cwd }: StdioEndpoint, error: unknown): ToolwrightError {
  const { code } = error as NodeJS.ErrnoException;
  const why =
    code === 'ENOENT'
      ? `the command "${command}" was not found${cwd === undefined ? '' : `, or its folder ${cwd}`}`
      : code === 'EACCES'
        ? `the command "${command}" may not be executed`
        : messageOf(error);
  return new ToolwrightError('unavailable', `the MCP server ${name} cannot be started: ${why}`, {
    hint: 'Install it, or mend its entry in the settings.',
    cause: error,
    data: { permanent: code === 'ENOENT' || code === 'EACCES' },
  });
}
