import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { chaos, withServers } from './mcp-world.ts';

const MODERN = fileURLToPath(new URL('../fixtures/mcp/modern-server.mjs', import.meta.url));

verifies('mcp/eras', 'each server is spoken to in the newest protocol that it knows', () =>
  withServers(
    {
      modern: { command: process.execPath, args: [MODERN] },
      legacy: chaos('plain'),
      silent: chaos('silent-at-probe'),
    },
    async ({ runtimeWith: { mcp }, call }) => {
      expect(mcp.find('modern')).toMatchObject({ state: 'ready', protocolVersion: '2026-07-28' });
      expect(mcp.find('legacy')).toMatchObject({ state: 'ready', protocolVersion: '2025-11-25' });
      expect(mcp.find('silent')).toMatchObject({ state: 'ready', protocolVersion: '2025-11-25' });
      // Silence costs the probe's own limit and no more.
      expect(mcp.find('silent').connectMs).toBeGreaterThanOrEqual(3_000);
      expect((await call('mcp__modern__echo', { text: 'hi' })).text).toBe('modern hi');
      expect((await call('mcp__modern__echo', { text: 5 })).error?.code).toBe('invalid_input');
      expect(await mcp.ping('modern')).toBeLessThan(5_000);
      await mcp.refresh('modern');
    },
  ),
);
