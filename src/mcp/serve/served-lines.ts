import { randomBytes } from 'node:crypto';
import { createRequestStateCodec, type Server } from '@modelcontextprotocol/server';
import { createServedServer } from './create-served-server.ts';
import { createOpenCalls } from './open-calls.ts';
import type { ServeOptions } from './serve-options.ts';
import type { ServedHouse } from './served-house.ts';

/** Makes the protocol servers of one door; what waits for an answer is shared, since it may come on another line. */
export interface ServedLines {
  serverFor(house: ServedHouse): Server;
  close(): void;
}

/** Longer than a call waits for its answer, so that a late one is told apart from a forged one. */
const STATE_SECONDS = 600;

export function createServedLines({
  houses,
  clock,
  newId,
}: Pick<ServeOptions, 'houses' | 'clock' | 'newId'>): ServedLines {
  const calls = createOpenCalls({ clock, newId });
  const state = createRequestStateCodec<string>({ key: randomBytes(32), ttlSeconds: STATE_SECONDS });
  return {
    serverFor: (house) => createServedServer({ houses, house, calls, state }),
    close: calls.close,
  };
}
