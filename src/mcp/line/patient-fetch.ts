import type { FetchLike } from '@modelcontextprotocol/client';

export interface PatientFetch {
  readonly fetch: FetchLike;
  /** Ends its sockets. */
  close(): Promise<void>;
}

/**
 * A fetch that waits for as long as it is let: node's own gives up on an answer, or on the next piece of one, after
 * five minutes, and a call may be silent for longer. The line's own limits end it.
 */
export async function createPatientFetch(fetch: FetchLike): Promise<PatientFetch> {
  const { Agent } = await import('undici');
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  return {
    fetch: (url, init) => fetch(url, Object.assign({}, init, { dispatcher })),
    close: () => dispatcher.destroy(),
  };
}
