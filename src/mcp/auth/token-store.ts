import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { isObject } from '../../core/index.ts';

export type StoredTokens = Parameters<OAuthClientProvider['saveTokens']>[0];
export type StoredClient = Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0];

export interface Credentials {
  readonly tokens?: StoredTokens;
  /** What the authorization server registered us as. */
  readonly client?: StoredClient;
}

/** The credentials of one server at one address, in a file for its owner only. */
export interface TokenStore {
  read(): Promise<Credentials>;
  write(change: Credentials): Promise<void>;
  clear(what: 'tokens' | 'client' | 'all'): Promise<void>;
}

export function createTokenStore(folder: string, server: string, url: URL): TokenStore {
  const id = createHash('sha256')
    .update(JSON.stringify([server, url.origin, url.pathname]))
    .digest('hex')
    .slice(0, 24);
  const path = join(folder, `${id}.json`);
  const read = async (): Promise<Credentials> => {
    try {
      const value: unknown = JSON.parse(await readFile(path, 'utf8'));
      return isObject(value) ? (value as Credentials) : {};
    } catch {
      return {};
    }
  };
  const save = async (credentials: Credentials) => {
    const temp = `${path}.${process.pid}.tmp`;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(temp, JSON.stringify(credentials), { mode: 0o600 });
    await rename(temp, path);
  };
  return {
    read,
    write: async (change) => save({ ...(await read()), ...change }),
    async clear(what) {
      if (what === 'all') return rm(path, { force: true });
      const { [what]: _gone, ...rest } = await read();
      await save(rest);
    },
  };
}
