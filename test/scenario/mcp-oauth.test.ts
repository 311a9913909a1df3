import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startAuthServer } from '../fixtures/mcp/auth-server.ts';
import { startFakeHttp } from '../fixtures/mcp/http-server.ts';
import { verifies } from '../verifies.ts';
import { withServers } from './mcp-world.ts';

verifies('mcp/oauth', 'login with PKCE, kept tokens, a token that has run out', async () => {
  const auth = await startAuthServer(() => server.url);
  const server = await startFakeHttp({
    answer(_message, response, request) {
      if (auth.isGood(request)) return false;
      auth.challenge(response);
      return true;
    },
  });
  try {
    await withServers(
      { h: { type: 'http', url: server.url } },
      async ({ runtimeWith, call, home, logged, runtime }) => {
        const { mcp } = runtimeWith;
        expect(mcp.find('h')).toMatchObject({ state: 'unauthorized', reason: expect.stringContaining('login') });
        const visited: string[] = [];
        const info = await mcp.logIn('h', (url) => {
          visited.push(url.href);
          void browse(url);
        });
        expect(info.state).toBe('ready');
        expect(visited).toHaveLength(1);
        expect(new URL(visited[0] ?? '').searchParams.get('code_challenge_method')).toBe('S256');
        expect((await call('mcp__h__echo', { a: 1 })).text).toContain('{"a":1}');
        expect(auth.grants).toEqual(['authorization_code']);

        const folder = join(home, 'mcp-auth');
        const [file = ''] = await readdir(folder);
        expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
        expect((await stat(folder)).mode & 0o777).toBe(0o700);
        expect(await readFile(join(folder, file), 'utf8')).toContain('access-secret-1');

        auth.expire();
        expect((await call('mcp__h__echo', { a: 2 })).text).toContain('{"a":2}');
        expect(auth.grants).toEqual(['authorization_code', 'refresh_token']);

        const second = await runtime();
        await second.mcp.settled();
        expect(second.mcp.find('h').state).toBe('ready');
        expect(JSON.stringify([mcp.list(), logged])).not.toMatch(/access-secret|refresh-secret/);
      },
    );
  } finally {
    await Promise.all([server.close(), auth.close()]);
  }
});

verifies('mcp/oauth', 'a visit that was not begun here is turned away', async () => {
  const auth = await startAuthServer(() => server.url);
  const server = await startFakeHttp({
    answer(_message, response, request) {
      if (auth.isGood(request)) return false;
      auth.challenge(response);
      return true;
    },
  });
  try {
    await withServers({ h: { url: server.url } }, async ({ runtimeWith: { mcp } }) => {
      const info = await mcp.logIn('h', (url) => {
        const forged = new URL(url.searchParams.get('redirect_uri') ?? '');
        forged.search = '?code=stolen&state=guessed';
        void fetch(forged).then(async (response) => {
          expect(response.status).toBe(400);
          await browse(url);
        });
      });
      expect(info.state).toBe('ready');
    });
  } finally {
    await Promise.all([server.close(), auth.close()]);
  }
});

const browse = async (url: URL) => void (await (await fetch(url)).text());
