import type http from 'node:http';
import type { Clock, Timer } from '../../core/index.ts';

/** Where requests go. */
export interface Target {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly request: typeof http.request;
  readonly agent: http.Agent;
}

export interface ExchangeLimits {
  readonly connectTimeoutMs: number;
  /** Longest time without a byte, from the request on. */
  readonly idleTimeoutMs: number;
}

/** What an exchange tells; after `end` or `fail` nothing follows. */
export interface ExchangeHandlers {
  response(response: http.IncomingMessage): void;
  chunk(bytes: Buffer): void;
  end(): void;
  fail(error: Error): void;
}

/** One POST and its answer. */
export interface Exchange {
  pause(): void;
  resume(): void;
  /** Closes the connection; nothing is told any more. */
  destroy(): void;
  /** The rest does not matter: lets the answer end, so that the connection can be used again, but not for long. */
  drain(): void;
}

const DRAIN_MS = 1_000;

export function openExchange(
  target: Target,
  body: Buffer,
  clock: Clock,
  limits: ExchangeLimits,
  handlers: ExchangeHandlers,
): Exchange {
  let closed = false;
  let paused = false;
  let response: http.IncomingMessage | undefined;
  let request: http.ClientRequest;
  let timer: Timer | undefined;
  let lastByteAt = clock.now();

  const disarm = () => {
    if (timer) clock.clear(timer);
    timer = undefined;
  };
  const arm = (ms: number, fn: () => void) => {
    disarm();
    timer = clock.after(ms, fn);
  };
  const close = (tell?: () => void) => {
    if (closed) return;
    closed = true;
    disarm();
    tell?.();
  };
  const fail = (error: Error) => {
    close(() => handlers.fail(error));
    request.destroy();
  };
  // One timer that is set again at most once per idle period, not one per chunk.
  const watchIdle = () => {
    const left = lastByteAt + limits.idleTimeoutMs - clock.now();
    if (left <= 0) fail(new Error(`the server sent nothing for ${limits.idleTimeoutMs} ms`));
    else arm(left, watchIdle);
  };
  const watch = () => {
    lastByteAt = clock.now();
    watchIdle();
  };
  const onResponse = (incoming: http.IncomingMessage) => {
    response = incoming;
    if (closed) {
      request.destroy();
      return;
    }
    lastByteAt = clock.now();
    handlers.response(incoming);
    incoming.on('data', (bytes: Buffer) => {
      lastByteAt = clock.now();
      if (!closed) handlers.chunk(bytes);
    });
    incoming.on('end', () => {
      disarm();
      close(handlers.end);
    });
    incoming.on('error', fail);
    incoming.on('close', () => {
      disarm();
      close(() => handlers.fail(new Error('the connection was closed before the answer ended')));
    });
  };
  const open = (again: boolean) => {
    request = target.request(target.url, {
      method: 'POST',
      headers: { ...target.headers, 'content-length': body.length },
      agent: again ? false : target.agent,
    });
    request.on('socket', (socket) => {
      if (closed) return;
      if (!socket.connecting) return watch();
      arm(limits.connectTimeoutMs, () => fail(new Error(`no connection within ${limits.connectTimeoutMs} ms`)));
      socket.once(target.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        if (!closed) watch();
      });
    });
    request.on('response', onResponse);
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server had closed a kept connection just before it was used: nothing was lost.
      const stale = request.reusedSocket && !response && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      if (stale && !again && !closed) open(true);
      else fail(error);
    });
    request.end(body);
  };
  open(false);

  return {
    pause() {
      if (closed || paused) return;
      paused = true;
      disarm();
      response?.pause();
    },
    resume() {
      if (closed || !paused) return;
      paused = false;
      watch();
      response?.resume();
    },
    destroy() {
      close();
      request.destroy();
    },
    drain() {
      if (closed) return;
      close();
      response?.resume();
      if (response && !response.complete) arm(DRAIN_MS, () => request.destroy());
    },
  };
}
