import { type FileStamp, type FileStat, isToolwrightError, type ToolwrightError } from '../../core/index.ts';

/**
 * What client and server say to each other: HTTP/1.1 under `/v1`, every request with the bearer token. JSON for small
 * things; the bytes of files as they are; a command's output as frames on an open response.
 */
export const PROTOCOL = 1;

/** A frame: its kind, the length of what follows in four bytes, and that. */
export const FRAME = {
  /** Nothing to tell, but the line is alive. */
  beat: 0,
  stdout: 1,
  stderr: 2,
  /** The command runs, or ran already when it is asked for again. */
  started: 3,
  /** JSON `{exit}` or `{error}`; the last frame of a command. */
  end: 4,
  /** This response is over; ask again from where it ended. */
  again: 5,
} as const;

export const FRAME_HEAD = 5;

/** How often a response with nothing to tell shows that the line is alive. */
export const BEAT_MS = 5_000;

/** How long a line may be gone before what waits for it is given up; no lease is shorter. */
export const RESUME_MS = 60_000;

export function frameHead(kind: number, length: number): Buffer {
  const head = Buffer.allocUnsafe(FRAME_HEAD);
  head[0] = kind;
  head.writeUInt32BE(length, 1);
  return head;
}

export interface SessionFacts {
  readonly id: string;
  readonly cwd: string;
  /** The same folder, links followed. */
  readonly realCwd: string;
  readonly roots: readonly { readonly path: string; readonly access: 'read' | 'write'; readonly label: string }[];
  readonly isolation: string;
  readonly ripgrep?: string;
}

export interface ServerFacts {
  readonly protocol: number;
  readonly kind: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  /** A session that is not heard of for so long is ended, with all that runs in it. */
  readonly leaseMs: number;
  /** Of a file that is read or written in one piece. */
  readonly mostFileBytes: number;
}

export interface StartRequest {
  /** Chosen by the client, so that a start that is asked for twice happens once. */
  readonly id: string;
  readonly command?: string;
  readonly argv?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The output is followed and given up once it was taken; else its end is kept for reading. */
  readonly follow: boolean;
}

/** JSON has no integers of 64 bits. */
export type StatText = Omit<FileStat, 'mtimeNs' | 'ctimeNs'> & { readonly mtimeNs: string; readonly ctimeNs: string };

export const statToText = (stat: FileStat): StatText => ({
  ...stat,
  mtimeNs: String(stat.mtimeNs),
  ctimeNs: String(stat.ctimeNs),
});

export const statFromText = (stat: StatText): FileStat => ({
  ...stat,
  mtimeNs: BigInt(stat.mtimeNs),
  ctimeNs: BigInt(stat.ctimeNs),
});

/** A stamp as a query parameter: `none` for a file that must not exist. */
export const expectToText = (expect: FileStamp | null): string =>
  expect === null ? 'none' : `${expect.size}.${expect.mtimeNs}.${expect.ctimeNs}`;

/** Undefined when it is not a stamp. */
export function expectFromText(text: string): FileStamp | null | undefined {
  if (text === 'none') return null;
  const [, size, mtimeNs, ctimeNs] = /^(\d{1,16})\.(-?\d{1,20})\.(-?\d{1,20})$/.exec(text) ?? [];
  if (size === undefined || mtimeNs === undefined || ctimeNs === undefined) return undefined;
  return { size: Number(size), mtimeNs: BigInt(mtimeNs), ctimeNs: BigInt(ctimeNs) };
}

export interface ErrorText {
  readonly code: ToolwrightError['code'];
  readonly message: string;
  readonly hint?: string;
  readonly retryable?: boolean;
  readonly data?: unknown;
}

/** An error as it crosses the line: ours as it is, any other one only by the fact that there was one. */
export function errorToText(error: unknown): ErrorText {
  if (!isToolwrightError(error)) {
    return { code: 'internal', message: 'The sandbox server failed at this; its own log may say more.' };
  }
  const { code, message, hint, retryable, data } = error;
  return {
    code,
    message,
    retryable,
    ...(hint === undefined ? {} : { hint }),
    ...(data === undefined ? {} : { data }),
  };
}
