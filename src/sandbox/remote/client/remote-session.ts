import type { IncomingMessage } from 'node:http';
import type { SessionFacts } from '../protocol.ts';
import type { Asked } from './exchange.ts';
import { type AskOptions, isLostSession, type Line, type Use } from './line.ts';

export interface SessionAsk extends AskOptions {
  readonly body?: Uint8Array;
  readonly isJson?: boolean;
}

/** A session on the server; when the server has forgotten it, it is opened again as it was. */
export interface RemoteSession {
  readonly facts: SessionFacts;
  json<Value>(method: string, path: string, options?: SessionAsk): Promise<Value>;
  ask<Value>(method: string, path: string, read: (answer: IncomingMessage) => Promise<Value>): Promise<Value>;
  /** Without opening it again: for what is gone with the session. */
  askOnly<Value>(asked: () => Asked, use: Use<Value>, options?: AskOptions): Promise<Value>;
  /** Where things of the session are. */
  place(path: string): string;
  reopen(): Promise<unknown>;
}

export function createRemoteSession(line: Line, facts: SessionFacts, open: () => Promise<SessionFacts>): RemoteSession {
  const place = (path: string) => `/v1/sessions/${facts.id}/${path}`;
  let opening: Promise<unknown> | undefined;
  const reopen = () => {
    opening ??= open().finally(() => {
      opening = undefined;
    });
    return opening;
  };
  const again = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      if (!isLostSession(error)) throw error;
      await reopen();
      return work();
    }
  };
  return {
    facts,
    place,
    reopen,
    askOnly: line.ask,
    json: (method, path, { body, isJson, ...options } = {}) => {
      const asked: Asked = {
        method,
        path: place(path),
        ...(body === undefined ? {} : { body }),
        ...(isJson === undefined ? {} : { isJson }),
      };
      return again(() => line.json(asked, options));
    },
    ask: (method, path, read) => again(() => line.ask(() => ({ method, path: place(path) }), read)),
  };
}
