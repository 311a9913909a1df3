import type { FetchLike, JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isObject } from '../../core/index.ts';
import type { UrlTarget } from '../config/server-config.ts';
import { errorAnswer } from '../stdio/read-message.ts';
import { createPatientFetch } from './patient-fetch.ts';

type AuthProvider = NonNullable<
  ConstructorParameters<typeof import('@modelcontextprotocol/client').StreamableHTTPClientTransport>[1]
>['authProvider'];

export interface UrlTransportOptions {
  readonly target: UrlTarget;
  readonly kind: 'http' | 'sse';
  readonly fetch: FetchLike;
  readonly authProvider?: AuthProvider;
}

/** A line to a server at an address. An answer stream that ends without the answer ends its call. */
export async function createUrlTransport({
  target,
  kind,
  fetch,
  authProvider,
}: UrlTransportOptions): Promise<Transport> {
  const sdk = await import('@modelcontextprotocol/client');
  const patient = await createPatientFetch(fetch);
  const options = {
    fetch: patient.fetch,
    requestInit: { headers: { ...target.headers } },
    ...(authProvider === undefined ? {} : { authProvider }),
  };
  if (kind === 'sse') return closing(new sdk.SSEClientTransport(target.url, options), patient.close);
  return closing(answerBrokenStreams(new sdk.StreamableHTTPClientTransport(target.url, options)), patient.close);
}

function closing(transport: Transport, end: () => Promise<void>): Transport {
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close();
    await end();
  };
  return transport;
}

function answerBrokenStreams(transport: Transport): Transport {
  const open = new Set<string | number>();
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    const id = requestId(message);
    if (id === undefined) return send(message, options);
    open.add(id);
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.();
      if (open.delete(id)) transport.onmessage?.(errorAnswer(id, 'the connection ended before the answer came'));
    };
    try {
      await send(message, { ...options, onRequestStreamEnd });
    } catch (error) {
      open.delete(id);
      throw error;
    }
  };
  // The SDK sets `onmessage` when it takes the transport over; answers are noted on their way to it.
  let deliver: Transport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => deliver,
    set(next: Transport['onmessage']) {
      deliver =
        next &&
        ((message, extra) => {
          if (!('method' in message) && message.id !== undefined) open.delete(message.id);
          next(message, extra);
        });
    },
  });
  return transport;
}

function requestId(message: JSONRPCMessage | JSONRPCMessage[]): string | number | undefined {
  if (!isObject(message) || !('method' in message) || !('id' in message)) return undefined;
  return message['id'] as string | number;
}
