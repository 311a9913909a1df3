import type { Client } from '@modelcontextprotocol/client';
import { isToolwrightError, messageOf, onAbort, type Timer, ToolwrightError } from '../../core/index.ts';
import { bounded } from './bounded.ts';
import { type Connection, type ConnectOptions, connect } from './connection.ts';
import { type ListedTools, listTools } from './list-tools.ts';
import { createRunningCalls, type RunningCalls } from './running-calls.ts';
import { type CallParts, callFault, sendCall } from './send-call.ts';
import { factsOf, surelyDidNotRun, unavailable } from './server-error.ts';

export type LineState = 'connecting' | 'ready' | 'reconnecting' | 'failed' | 'unauthorized' | 'closed';

export interface LineStatus {
  readonly state: LineState;
  /** Why it is not ready. */
  readonly reason?: string;
  readonly era?: 'modern' | 'legacy';
  readonly protocolVersion?: string;
  readonly serverInfo?: Connection['serverInfo'];
  readonly connectMs?: number;
}

/** The line to one server, kept up for as long as it is open. All sessions share it. */
export interface ServerLine {
  readonly status: LineStatus;
  /** Resolves with the first outcome, good or bad. */
  readonly settled: Promise<void>;
  call(parts: CallParts): Promise<unknown>;
  /** Reads the tools again, connecting first where needed. */
  refresh(): Promise<void>;
  /** Milliseconds that the server took to give a sign of life. */
  ping(): Promise<number>;
  close(): Promise<void>;
}

export interface LineOptions
  extends Pick<ConnectOptions, 'name' | 'config' | 'clientInfo' | 'clock' | 'log' | 'openTransport' | 'capabilities'> {
  readonly prepare: (client: Client, running: RunningCalls) => void;
  readonly onTools: (listed: ListedTools) => void;
  readonly random?: () => number;
}

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 60_000;
/** A line that stood this long was good: its next fall is the first one again. */
const STEADY_MS = 30_000;
/** Storms of `list_changed` are read as one. */
const DEBOUNCE_MS = 200;
const HEALTH_MS = 60_000;
const ANSWER_MS = 5_000;

export function createServerLine(options: LineOptions): ServerLine {
  const { name, config, clock, log } = options;
  const { timeouts } = config;
  const running = createRunningCalls();
  const timers = new Set<Timer>();
  const closing = new AbortController();
  let state: LineState = 'connecting';
  let reason: string | undefined;
  let current: Connection | undefined;
  let connecting: Promise<void> | undefined;
  let isLegacy = false;
  let failures = 0;
  let readySince = 0;
  let connectMs: number | undefined;
  let lastSign = clock.now();
  let settle = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });

  /** Timers of the line never keep the process alive. */
  const later = (ms: number, fn: () => void) => {
    const timer = clock.after(ms, () => {
      timers.delete(timer);
      fn();
    });
    timer.unref?.();
    timers.add(timer);
    return timer;
  };
  const isClosed = () => state === 'closed';

  const openConnection = async (): Promise<Connection> => {
    const began = clock.now();
    const connection = await connect({
      ...options,
      prepare: (client) => options.prepare(client, running),
      isLegacy,
      signal: closing.signal,
      onClose: lost,
      onToolsChanged: changed,
    });
    if (isClosed()) {
      await connection.close();
      throw new Error('closed');
    }
    isLegacy = connection.era === 'legacy';
    connectMs = clock.now() - began;
    lastSign = clock.now();
    return connection;
  };

  const attempt = async (): Promise<void> => {
    if (isClosed()) return;
    if (state !== 'connecting') state = 'reconnecting';
    try {
      const connection = await openConnection();
      try {
        const listed = await readTools(connection);
        if (isClosed()) throw new Error('closed');
        current = connection;
        options.onTools(listed);
      } catch (error) {
        current = undefined;
        await connection.close();
        throw error;
      }
      state = 'ready';
      reason = undefined;
      readySince = clock.now();
      log('info', `MCP server ${name} is ready`, { era: current?.era, ms: connectMs });
      if (current?.lastWords().startsWith('exit')) lost(current);
    } catch (error) {
      failed(error);
    } finally {
      settle();
    }
  };
  /** One attempt at a time, whoever wants it. */
  const reconnect = (): Promise<void> => {
    connecting ??= attempt().finally(() => {
      connecting = undefined;
    });
    return connecting;
  };

  function failed(error: unknown): void {
    if (isClosed()) return;
    const facts = factsOf(error);
    reason = facts.message;
    log('warn', `MCP server ${name}: ${reason}`);
    const isUnknown =
      (isToolwrightError(error) && error.code === 'unauthorized') || /HTTP 401|^Unauthorized/.test(facts.message);
    if (facts.status === 401 || isUnknown) {
      state = 'unauthorized';
      reason = `it asks for a login (${reason})`;
      return;
    }
    // A command that cannot be started will not start by itself.
    const isFinal = error instanceof ToolwrightError && error.cause !== undefined;
    state = isFinal ? 'failed' : 'reconnecting';
    if (!isFinal) retryLater();
  }

  function retryLater(): void {
    const wait =
      Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures) * (0.5 + (options.random ?? Math.random)() / 2);
    failures++;
    later(wait, () => void reconnect());
  }

  function lost(connection: Connection): void {
    if (connection !== current || isClosed()) return;
    current = undefined;
    state = 'reconnecting';
    reason = ['the connection was lost', connection.lastWords()].filter((part) => part !== '').join('; ');
    log('warn', `MCP server ${name}: ${reason}`);
    if (clock.now() - readySince > STEADY_MS) failures = 0;
    retryLater();
  }

  const readTools = async (connection: Connection): Promise<ListedTools> => {
    const stop = new AbortController();
    const off = onAbort(closing.signal, () => stop.abort());
    const late = () =>
      new ToolwrightError('unavailable', `it did not list its tools within ${timeouts.list} ms`, {
        hint: 'Raise timeouts.list of the server.',
      });
    const listed = await bounded(clock, timeouts.list, listTools(connection, stop.signal), late, () =>
      stop.abort(),
    ).finally(off);
    lastSign = clock.now();
    return listed;
  };

  let refreshing: Promise<void> | undefined;
  let refreshAgain = false;
  let refreshSoon = false;
  let refreshFailures = 0;
  /** One reading at a time; news that come meanwhile are read by one more. */
  function changed(wait = DEBOUNCE_MS): void {
    if (refreshing !== undefined) {
      refreshAgain = true;
      return;
    }
    if (refreshSoon || isClosed()) return;
    refreshSoon = true;
    later(wait, () => {
      refreshSoon = false;
      void rereadTools().catch(() => {});
    });
  }
  function rereadTools(): Promise<void> {
    refreshing ??= (async () => {
      const connection = current;
      if (connection === undefined) return;
      try {
        const listed = await readTools(connection);
        if (!isClosed() && connection === current) options.onTools(listed);
        refreshFailures = 0;
      } catch (error) {
        log('warn', `MCP server ${name}: its tools could not be read again, the old list stays`, {
          message: messageOf(error),
        });
        if (++refreshFailures <= 5) later(FIRST_RETRY_MS * 2 ** refreshFailures, () => changed(0));
        throw error;
      }
    })().finally(() => {
      refreshing = undefined;
      if (refreshAgain) {
        refreshAgain = false;
        changed();
      }
    });
    return refreshing;
  }

  const watch = () => {
    later(HEALTH_MS, () => {
      void (async () => {
        const connection = current;
        if (connection !== undefined && clock.now() - lastSign >= HEALTH_MS) {
          try {
            await connection.ping(ANSWER_MS);
            lastSign = clock.now();
          } catch (error) {
            // A server at work on a call may be silent; one that has nothing to do may not.
            if (running.size === 0 && connection === current) {
              log('warn', `MCP server ${name}: ${messageOf(error)}`);
              lost(connection);
              await connection.close();
            }
          }
        }
      })().finally(watch);
    });
  };

  /** A new session in the place of one that the server has ended; calls that notice together share it. */
  let renewing: Promise<void> | undefined;
  const renew = (old: Connection): Promise<void> => {
    if (current !== old && renewing === undefined) return Promise.resolve();
    renewing ??= (async () => {
      try {
        const fresh = await openConnection();
        current = fresh;
        state = 'ready';
        reason = undefined;
        void old.close();
        changed(0);
      } catch (error) {
        if (current === old) {
          current = undefined;
          void old.close();
          failed(error);
        }
        throw unavailable(name, factsOf(error).message);
      } finally {
        renewing = undefined;
      }
    })();
    return renewing;
  };

  const connected = (): Connection => {
    if (current !== undefined) return current;
    throw unavailable(name, reason ?? (state === 'closed' ? 'it was closed' : 'it is still connecting'));
  };

  const send = (connection: Connection, parts: CallParts) =>
    sendCall(connection, parts, { server: name, clock, idleMs: timeouts.idle, running }).finally(() => {
      lastSign = clock.now();
    });

  void reconnect();
  watch();

  return {
    settled,
    get status() {
      return {
        state,
        ...(reason === undefined ? {} : { reason }),
        ...(connectMs === undefined ? {} : { connectMs }),
        ...(current === undefined
          ? {}
          : { era: current.era, protocolVersion: current.protocolVersion, serverInfo: current.serverInfo }),
      };
    },
    async call(parts) {
      const connection = connected();
      try {
        return await send(connection, parts);
      } catch (error) {
        if (parts.signal.aborted || !surelyDidNotRun(factsOf(error))) throw callFault(error, connection, parts, name);
        await renew(connection);
        const next = connected();
        return await send(next, parts).catch((again: unknown) => {
          throw callFault(again, next, parts, name);
        });
      }
    },
    async refresh() {
      if (current !== undefined) return rereadTools();
      if (isClosed()) throw unavailable(name, 'it was closed');
      failures = 0;
      await reconnect();
      connected();
    },
    async ping() {
      const connection = connected();
      const began = performance.now();
      await connection.ping(ANSWER_MS);
      return performance.now() - began;
    },
    async close() {
      if (isClosed()) return;
      state = 'closed';
      settle();
      closing.abort();
      for (const timer of timers) clock.clear(timer);
      timers.clear();
      const connection = current;
      current = undefined;
      await Promise.all([connection?.close(), connecting?.catch(() => {}), renewing?.catch(() => {})]);
    },
  };
}
