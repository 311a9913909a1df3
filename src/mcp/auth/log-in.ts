import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, ToolwrightError } from '../../core/index.ts';
import type { UrlTarget } from '../config/server-config.ts';
import { bounded } from '../line/bounded.ts';
import { createOAuthProvider } from './oauth-provider.ts';
import type { TokenStore } from './token-store.ts';

export interface LogInOptions {
  readonly server: string;
  readonly target: UrlTarget;
  readonly store: TokenStore;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly onUrl: (url: URL) => void;
}

/** How long a person may take in the browser. */
const LOGIN_MS = 300_000;
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

/** OAuth 2.1 with PKCE: shows the address, waits on loopback for the browser to come back, keeps the tokens. */
export async function logIn({ server, target, store, fetch, clock, onUrl }: LogInOptions): Promise<void> {
  const sdk = await import('@modelcontextprotocol/client');
  const state = randomBytes(24).toString('base64url');
  const loopback = await openLoopback(target.oauth.port ?? 0, state);
  try {
    const provider = createOAuthProvider({ oauth: target.oauth, store, redirectUrl: loopback.url, state, onUrl });
    // Its refusal says where to log in.
    const accept = 'application/json, text/event-stream';
    const asked = await fetch(
      target.url,
      target.kind === 'sse'
        ? { headers: { accept } }
        : { method: 'POST', headers: { accept, 'content-type': 'application/json' }, body: PING },
    );
    const { resourceMetadataUrl, scope } = sdk.extractWWWAuthenticateParams(asked);
    await asked.body?.cancel();
    const shared = {
      serverUrl: target.url,
      fetchFn: fetch,
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      ...(scope === undefined ? {} : { scope }),
    };
    await store.clear('tokens');
    if ((await sdk.auth(provider, shared)) === 'AUTHORIZED') return;
    const late = () =>
      new ToolwrightError('expired', `nobody logged in to the MCP server ${server} within 5 minutes`, {
        hint: 'Try again.',
      });
    const { code, iss } = await bounded(clock, LOGIN_MS, loopback.code, late);
    await sdk.auth(provider, { ...shared, authorizationCode: code, ...(iss === undefined ? {} : { iss }) });
  } finally {
    loopback.close();
  }
}

interface Loopback {
  readonly url: string;
  readonly code: Promise<{ readonly code: string; readonly iss?: string }>;
  close(): void;
}

/** Waits on this machine only for one visit that carries our own state. */
async function openLoopback(port: number, state: string): Promise<Loopback> {
  let arrive: (came: { code: string; iss?: string }) => void = () => {};
  let refuse: (error: Error) => void = () => {};
  const code = new Promise<{ code: string; iss?: string }>((resolve, reject) => {
    arrive = resolve;
    refuse = reject;
  });
  code.catch(() => {});
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const say = (status: number, text: string) =>
      void response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(text);
    if (url.pathname !== '/callback') return say(404, 'Not found.');
    if (url.searchParams.get('state') !== state) return say(400, 'This login was not begun here.');
    const [given, error, iss] = ['code', 'error', 'iss'].map((name) => url.searchParams.get(name));
    if (!given) {
      refuse(new ToolwrightError('unauthorized', `the login was refused: ${error ?? 'no code came back'}`));
      return say(400, 'The login was refused. You may close this page.');
    }
    arrive({ code: given, ...(iss ? { iss } : {}) });
    say(200, 'You are logged in. You may close this page.');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: given } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${given}/callback`,
    code,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
