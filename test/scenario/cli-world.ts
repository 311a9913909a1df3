import { createInterface } from 'node:readline/promises';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { Io, Terminal } from '../../src/cli/io.ts';
import { main } from '../../src/cli/main.ts';

export interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Stdout as JSON. */
  json<T = Record<string, unknown>>(): T;
  /** Stdout as one JSON object a line. */
  lines<T = Record<string, unknown>>(): T[];
}

export interface CliOptions {
  readonly input?: string;
  readonly onOut?: (text: string, interrupt: () => void) => void;
  readonly gone?: AbortSignal;
  /** Stdout is a terminal that can be painted over. */
  readonly screen?: Terminal;
  /** Somebody at a terminal: is told all that is printed, piece by piece, and can type and interrupt. */
  readonly person?: (text: string, person: { type(line: string): void; interrupt(): void }) => void;
}

/** One command line in this process, with an Io that keeps what is printed. */
export async function cli(argv: readonly string[], options: CliOptions = {}): Promise<Printed> {
  let out = '';
  let err = '';
  const interrupts = new Set<() => void>();
  const interrupt = () => {
    for (const fn of interrupts) fn();
  };
  const keys = new PassThrough();
  const print = (text: string) => {
    out += text;
    options.onOut?.(text, interrupt);
    options.person?.(text, { type: (line) => void keys.write(`${line}\n`), interrupt });
  };
  const screen = new Writable({
    write(chunk, _encoding, done) {
      print(String(chunk));
      done();
    },
  });
  const io: Io = {
    out: async (text) => {
      await options.screen?.write(text);
      print(text);
    },
    err(text) {
      err += text;
    },
    isTerminal: false,
    isInteractive: options.person !== undefined,
    hasColor: false,
    columns: 100,
    screen: options.screen,
    gone: options.gone ?? new AbortController().signal,
    onInterrupt(fn) {
      interrupts.add(fn);
      return () => interrupts.delete(fn);
    },
    readInput: async () => options.input,
    pipes: { input: process.stdin, output: process.stdout },
    async openPrompt() {
      if (options.person === undefined) return createInterface({ input: Readable.from([options.input ?? '']) });
      return createInterface({ input: keys, output: screen, terminal: false });
    },
  };
  const code = await main(argv, io);
  return {
    code,
    out,
    err,
    json: () => JSON.parse(out),
    lines: () =>
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}

/** The commands read the process's variables: these stand for as long as `body` runs. */
export async function withEnv(env: Record<string, string>, body: () => Promise<void>): Promise<void> {
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    await body();
  } finally {
    for (const name of Object.keys(env)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}
