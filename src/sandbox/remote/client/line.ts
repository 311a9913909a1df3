import type { IncomingMessage } from 'node:http';
import { type Clock, onAbort, ToolwrightError } from '../../../core/index.ts';
import { type ErrorText, RESUME_MS } from '../protocol.ts';
import { type Asked, exchange, type Hold, readAll, type Wire } from './exchange.ts';
import { LineFault } from './line-fault.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 3_000;

/** An answer that was read, and where the reading must tell that the line works. */
export type Use<Value> = (answer: IncomingMessage, hold: Hold, alive: () => void) => Promise<Value>;

export interface AskOptions {
  /** What is asked for changes something, so that its loss leaves it open whether it was done. */
  readonly changes?: boolean;
  /** A lost line is a failure at once. */
  readonly once?: boolean;
  /** Nobody there is an answer, too. */
  readonly ifThere?: boolean;
}

/** The line to a server: requests that outlast its breaks. */
export interface Line {
  /**
   * Asks until there is an answer, for a minute of broken line at the most. What is asked for must be such that
   * asking twice does it once. Throws the server's own errors, and `unavailable` when the line stays away.
   */
  ask<Value>(asked: () => Asked, use: Use<Value>, options?: AskOptions): Promise<Value>;
  json<Value>(asked: Asked, options?: AskOptions): Promise<Value>;
  /** Ends what still waits. */
  close(): void;
}

export function createLine(wire: Wire, random: () => number = Math.random): Line {
  const { clock } = wire;
  const closing = new AbortController();

  const ask: Line['ask'] = async (asked, use, options = {}) => {
    let lostAt: number | undefined;
    let failures = 0;
    let maybeDone = false;
    const alive = () => {
      lostAt = undefined;
      failures = 0;
    };
    for (;;) {
      const stop = new AbortController();
      const left = lostAt === undefined ? undefined : lostAt + RESUME_MS - clock.now();
      const timer = left === undefined ? undefined : clock.after(left, () => stop.abort());
      const off = onAbort(closing.signal, () => stop.abort());
      try {
        return await exchange(wire, asked(), stop.signal, async (answer, hold) => {
          if (timer !== undefined) clock.clear(timer);
          await refuseErrors(answer, maybeDone);
          return use(answer, hold, alive);
        });
      } catch (error) {
        if (!(error instanceof LineFault)) throw error;
        if (closing.signal.aborted) throw closed();
        if (error.isUnreached && (options.ifThere || !maybeDone)) throw unreachable(wire.url, error);
        maybeDone = true;
        if (error.isStale) continue;
        if (options.once) throw unreachable(wire.url, error);
        lostAt ??= clock.now();
        const rest = lostAt + RESUME_MS - clock.now();
        if (rest <= 0) throw lost(wire.url, error, options.changes ?? false);
        const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures++) * (0.5 + random() / 2);
        await sleep(clock, Math.min(pause, rest), closing.signal);
      } finally {
        off();
        if (timer !== undefined) clock.clear(timer);
      }
    }
  };

  return {
    ask,
    json: (asked, options) =>
      ask(
        () => asked,
        async (answer) => {
          const text = (await readAll(answer)).toString('utf8');
          try {
            return JSON.parse(text);
          } catch {
            throw new LineFault('an answer that is not JSON');
          }
        },
        options,
      ),
    close: () => closing.abort(),
  };
}

/** An answer that tells an error, as that error; one that is not of our server is a fault of the line. */
async function refuseErrors(answer: IncomingMessage, maybeDone: boolean): Promise<void> {
  if (answer.statusCode === 200) return;
  const body = (await readAll(answer)).toString('utf8');
  let told: ErrorText | undefined;
  try {
    told = (JSON.parse(body) as { error?: ErrorText }).error;
  } catch {}
  if (typeof told?.code !== 'string') throw new LineFault(`an answer with status ${answer.statusCode}`);
  const { code, message, hint, retryable = false, data } = told;
  if (code === 'unauthorized') throw unauthorized();
  const isGone = isLostSession({ data });
  throw new ToolwrightError(code, message, {
    retryable,
    data: isGone ? { ...(data as object), started: maybeDone } : data,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The server knows the session no more: its lease ran out, or the server was started anew. */
export function isLostSession(error: unknown): boolean {
  return (error as { data?: { reason?: unknown } } | undefined)?.data?.reason === 'no_session';
}

export const sessionLost = () =>
  new ToolwrightError('unavailable', 'The sandbox server has ended the session in which the command ran.', {
    hint: 'It was started anew, or the line was gone for too long. What the command did until then stands.',
    retryable: true,
    data: { reason: 'session_lost', started: true },
  });

const unauthorized = () =>
  new ToolwrightError('unauthorized', 'The sandbox server refuses the token.', {
    hint: 'Give the token that it was started with.',
  });

const unreachable = (url: URL, fault: LineFault) =>
  new ToolwrightError('unavailable', `The sandbox server ${url.origin} cannot be reached: ${fault.message}.`, {
    hint: 'Nothing was done. See that it runs (`toolwright sandbox serve`) and that the address is right.',
    retryable: true,
    data: { reason: 'unreachable', started: false },
    cause: fault,
  });

const lost = (url: URL, fault: LineFault, changes: boolean) =>
  new ToolwrightError('unavailable', `The line to the sandbox server ${url.origin} is lost: ${fault.message}.`, {
    hint: changes
      ? 'What was asked for may have been done, and a command may still run. Look when the line is back.'
      : 'Try again when the line is back.',
    retryable: true,
    data: { reason: 'line_lost', started: changes },
    cause: fault,
  });

const closed = () => new ToolwrightError('unavailable', 'The sandbox has been closed.');

function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(ms, () => {
      off();
      resolve();
    });
    const off = onAbort(signal, () => {
      clock.clear(timer);
      resolve();
    });
  });
}
