import type { Interface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

/** A terminal that can be painted over. */
export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  /** Resolves when it has room for more. */
  write(text: string): Promise<void>;
  /** Calls `fn` when its size has changed; gives how to stop that. */
  onResize(fn: () => void): () => void;
}

/** All that a command knows of the world around it. */
export interface Io {
  /** To stdout; resolves when the reader has room for more. */
  out(text: string): Promise<void>;
  /** To stderr. */
  err(text: string): void;
  /** Stdout is a terminal. */
  readonly isTerminal: boolean;
  /** A person is at both ends: lines can be asked for. */
  readonly isInteractive: boolean;
  readonly hasColor: boolean;
  readonly columns: number;
  /** What stdout and stderr are, when they are terminals that can be painted over. */
  readonly screen?: Terminal | undefined;
  readonly errScreen?: Terminal | undefined;
  /** Aborted when nobody reads stdout any more. */
  readonly gone: AbortSignal;
  /** Calls `fn` at each interrupt (Ctrl-C) instead of ending the process; gives how to stop that. */
  onInterrupt(fn: () => void): () => void;
  /** All of stdin; undefined when it is a terminal. */
  readInput(): Promise<string | undefined>;
  /** For a protocol that speaks on both. */
  readonly pipes: { readonly input: Readable; readonly output: Writable };
  /** Lines from stdin; on a terminal with editing and the given history, newest first. */
  openPrompt(options?: { readonly history?: string[] }): Promise<Interface>;
}

/** Bytes of a prompt from stdin at the most. */
const MOST_INPUT = 10 * 1_048_576;

export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  const gone = new AbortController();
  const onError = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
    gone.abort();
  };
  stdout.on('error', onError);
  stderr.on('error', () => {});
  const write = (stream: NodeJS.WriteStream, text: string): Promise<void> => {
    if (gone.signal.aborted || text === '' || stream.write(text)) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        stream.off('drain', done);
        gone.signal.removeEventListener('abort', done);
        resolve();
      };
      stream.once('drain', done);
      gone.signal.addEventListener('abort', done);
    });
  };
  const terminal = (stream: NodeJS.WriteStream): Terminal | undefined => {
    if (stream.isTTY !== true || env.TERM === 'dumb' || env.CI) return undefined;
    return {
      get columns() {
        return stream.columns || 80;
      },
      get rows() {
        return stream.rows || 24;
      },
      write: (text) => write(stream, text),
      onResize(fn) {
        stream.on('resize', fn);
        return () => stream.off('resize', fn);
      },
    };
  };
  const hasColor = env.NO_COLOR ? false : env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : stdout.isTTY === true;
  return {
    out: (text) => write(stdout, text),
    err: (text) => void stderr.write(text),
    isTerminal: stdout.isTTY === true,
    isInteractive: stdin.isTTY === true && stdout.isTTY === true,
    hasColor,
    columns: stdout.columns || 100,
    screen: terminal(stdout),
    errScreen: terminal(stderr),
    gone: gone.signal,
    onInterrupt(fn) {
      process.on('SIGINT', fn);
      process.on('SIGTERM', fn);
      return () => {
        process.off('SIGINT', fn);
        process.off('SIGTERM', fn);
      };
    },
    async readInput() {
      if (stdin.isTTY) return undefined;
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of stdin) {
        chunks.push(chunk as Buffer);
        bytes += (chunk as Buffer).length;
        if (bytes > MOST_INPUT) break;
      }
      return Buffer.concat(chunks).toString('utf8');
    },
    pipes: { input: stdin, output: stdout },
    async openPrompt({ history = [] } = {}) {
      const { createInterface } = await import('node:readline/promises');
      const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
      if (!isTerminal) return createInterface({ input: stdin });
      const prompt = createInterface({ input: stdin, output: stdout, history });
      // A prompt takes Ctrl-C for itself; here it is an interrupt as any other.
      prompt.on('SIGINT', () => process.emit('SIGINT'));
      return prompt;
    },
  };
}
