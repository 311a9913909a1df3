import { type ModelFault, messageOf } from '../../core/index.ts';

const SAID: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused; is the server running?',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'the connection timed out',
};

/** The fault of a connection that failed; `answered`: after the answer had begun. */
export function socketFault(error: Error, url: URL, answered: boolean): ModelFault {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const why = SAID[code] ?? messageOf(error);
  return {
    message: answered ? `the stream broke: ${why}` : `no answer from ${url.origin}: ${why}`,
    // A certificate that is not accepted will not be accepted later.
    retryable: !/CERT|SIGNED|SSL|TLS/.test(code),
  };
}
