import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { ToolwrightError } from '../../core/index.ts';
import type { UrlTarget } from '../config/server-config.ts';
import type { TokenStore } from './token-store.ts';

export interface ProviderOptions {
  readonly oauth: UrlTarget['oauth'];
  readonly store: TokenStore;
  /** Where the browser comes back to. */
  readonly redirectUrl: string;
  readonly state: string;
  /** Shows a person the address to log in at; absent when nobody is there. */
  readonly onUrl?: (url: URL) => void;
}

/** What the SDK's OAuth needs to know of us; PKCE is its own. */
export function createOAuthProvider({ oauth, store, redirectUrl, state, onUrl }: ProviderOptions): OAuthClientProvider {
  let verifier = '';
  let discovered: OAuthDiscoveryState | undefined;
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'Toolwright',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: oauth.clientSecret === undefined ? 'none' : 'client_secret_post',
      ...(oauth.scope === undefined ? {} : { scope: oauth.scope }),
    },
    state: () => state,
    async clientInformation() {
      if (oauth.clientId !== undefined) {
        return {
          client_id: oauth.clientId,
          ...(oauth.clientSecret === undefined ? {} : { client_secret: oauth.clientSecret }),
        };
      }
      const { client } = await store.read();
      const registered = client !== undefined && 'redirect_uris' in client ? client.redirect_uris : undefined;
      // A login comes back to a port of its own, which an earlier registration does not name.
      if (onUrl !== undefined && Array.isArray(registered) && !registered.includes(redirectUrl)) return undefined;
      return client;
    },
    saveClientInformation: (client) => store.write({ client }),
    tokens: async () => (await store.read()).tokens,
    saveTokens: (tokens) => store.write({ tokens }),
    redirectToAuthorization(url) {
      if (onUrl !== undefined) return onUrl(url);
      throw new ToolwrightError('unauthorized', 'its login has run out');
    },
    saveCodeVerifier(text) {
      verifier = text;
    },
    codeVerifier: () => verifier,
    // Both legs of a login must lead to the same authorization server.
    saveDiscoveryState(state) {
      discovered = state;
    },
    discoveryState: () => discovered,
    async invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'tokens' || scope === 'client') await store.clear(scope);
    },
  };
}
