import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { chaos, isAlive, until, withServers } from './mcp-world.ts';
import { inWorld } from './runtime-world.ts';

const HOST = fileURLToPath(new URL('../fixtures/mcp/host-child.ts', import.meta.url));

for (const how of ['wait', 'exit', 'idle']) {
  const says = { wait: 'is killed', exit: 'exits without closing', idle: 'has nothing more to do' }[how];
  verifies('MCP-07', `a host that ${says} leaves nothing behind`, () =>
    inWorld(async ({ home, project }) => {
      const file = join(project, 'pids');
      const servers = { family: chaos('grandchild', {}, file), deaf: chaos('deaf-to-term') };
      await writeFile(join(home, 'toolwright.json'), JSON.stringify({ mcpServers: servers }));
      const host = spawn(process.execPath, ['--import', 'tsx', HOST, home, project, how], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const left = once(host, 'exit');
      await once(host.stdout, 'data');
      const pids = (/^\d+ \d+/.exec(readFileSync(file, 'utf8'))?.[0] ?? '').split(' ').map(Number);
      expect(pids).toHaveLength(2);
      if (how === 'wait') host.kill('SIGKILL');
      await left;
      await until(() => !pids.some(isAlive), 'the servers are gone', 8_000);
    }),
  );
}

verifies('MCP-06', 'variables: those of the config and a short list of ours; arguments are nobody’s to interpret', () =>
  withServers(
    { s: chaos('plain', { env: { MY: '${FROM_US}', OTHER: '${NOT_SET:-fallback}' } }, '', '$(id)', '~', '${FROM_US}') },
    async ({ call }) => {
      const seen = JSON.parse((await call('mcp__s__echo', { do: 'env' })).text);
      expect(seen).toMatchObject({ MY: 'given', OTHER: 'fallback', PATH: process.env['PATH'] });
      expect(Object.keys(seen).filter((name) => /KEY|RANDOM|FROM_US|TOOLWRIGHT_HOME/.test(name))).toEqual([]);
      const argv = JSON.parse((await call('mcp__s__echo', { do: 'argv' })).text);
      expect(argv).toEqual(['', '$(id)', '~', 'given']);
    },
    { variables: { FROM_US: 'given', LLM_API_KEY: 'k-123456', RANDOM_NEW_SECRET: 'zzz' } },
  ),
);

verifies('MCP-06', 'a command that is not there, a folder that is not there: named, and not tried for ever', () =>
  withServers(
    { none: { command: 'nope-not-there' }, folder: { command: process.execPath, cwd: '/no/such/folder' } },
    async ({ runtimeWith: { mcp }, logged }) => {
      expect(mcp.find('none')).toMatchObject({ state: 'failed', reason: expect.stringContaining('"nope-not-there"') });
      expect(mcp.find('folder')).toMatchObject({ state: 'failed', reason: expect.stringContaining('/no/such/folder') });
      await new Promise((resolve) => setTimeout(resolve, 800));
      expect(logged.filter(({ message }) => message.includes('nope-not-there'))).toHaveLength(1);
    },
  ),
);

verifies(
  'mcp/start',
  'twenty servers, three of them dead: the others work as soon as they are up',
  async () => {
    const servers = Object.fromEntries([
      ...Array.from({ length: 17 }, (_, n) => [`s${n}`, chaos('plain')]),
      ['dead1', chaos('never-starts')],
      ['dead2', { command: 'nope-not-there' }],
      ['dead3', chaos('dies-at-start')],
    ]);
    await withServers(
      servers,
      async ({ runtimeWith: { mcp }, session }) => {
        const opened = await session();
        await until(
          () => mcp.list().filter(({ state }) => state === 'ready').length === 17,
          'the healthy ones',
          60_000,
        );
        expect(mcp.find('dead1').state).toBe('connecting');
        const began = performance.now();
        const { error } = await opened.call('mcp__s9__echo', '{}');
        const took = performance.now() - began;
        expect(error).toBeUndefined();
        expect(took).toBeLessThan(300);
      },
      { wait: false },
    );
  },
  90_000,
);

verifies('mcp/runtime', 'added, read again, removed', () =>
  withServers({}, async ({ runtimeWith: { mcp, registry }, call, project }) => {
    const file = join(project, 'seen');
    const added = await mcp.add('s', chaos('plain', {}, file));
    expect(added).toMatchObject({ state: 'ready', source: 'runtime', tools: ['mcp__s__echo', 'mcp__s__second'] });
    await expect(mcp.add('s', chaos('plain'))).rejects.toMatchObject({ code: 'conflict' });
    await expect(mcp.add('bad', { type: 'stdio' })).rejects.toMatchObject({ code: 'invalid_request' });
    await mcp.refresh('s');
    expect((await readFile(file, 'utf8')).match(/list/g)).toHaveLength(2);
    expect(await mcp.ping('s')).toBeLessThan(5_000);
    expect((await call('mcp__s__echo')).error).toBeUndefined();
    expect(await mcp.remove('s')).toBe(true);
    expect(registry.names().filter((name) => name.startsWith('mcp__'))).toEqual([]);
    expect((await call('mcp__s__echo')).error?.code).toBe('unknown_tool');
    await expect(mcp.refresh('s')).rejects.toMatchObject({ code: 'not_found' });
  }),
);

verifies('MCP-04', 'a prompt waits for servers that come up, and not for one that never answers', () =>
  withServers(
    { well: chaos('plain'), silent: { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1_000)'] } },
    async ({ runtimeWith: runtime }) => {
      const session = await runtime.session({ mode: 'open', model: 'manual' });
      const began = performance.now();
      let code: string | undefined = 'none';
      for await (const event of session.run('mcp__well__echo {"do":"roots"}')) {
        if (event.type === 'tool_result') code = event.result.error?.code;
      }
      expect(code).toBeUndefined();
      expect(performance.now() - began).toBeLessThan(3_500);
      expect(runtime.mcp.pending()).toEqual(['silent']);
    },
    { wait: false },
  ),
);
