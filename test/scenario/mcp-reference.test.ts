import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { type McpWorld, PACKAGES, until, withServers } from './mcp-world.ts';

const program = (name: string) => join(PACKAGES, name, 'dist/index.js');
const EVERYTHING = program('server-everything');

/** Each tool with an input that it takes. `simulate-research-query` runs as a task only and is left out by name. */
const INPUTS: Record<string, { readonly input: object; readonly says: RegExp }> = {
  echo: { input: { message: 'hi' }, says: /hi/ },
  'get-annotated-message': { input: { messageType: 'error', includeImage: true }, says: /Error/ },
  'get-env': { input: {}, says: /PATH/ },
  'get-resource-links': { input: { count: 2 }, says: /link to/ },
  'get-resource-reference': { input: { resourceType: 'Text', resourceId: 1 }, says: /resource/i },
  'get-roots-list': { input: {}, says: /root/i },
  'get-structured-content': { input: { location: 'Chicago' }, says: /temperature/ },
  'get-sum': { input: { a: 2, b: 3 }, says: /5/ },
  'get-tiny-image': { input: {}, says: /image/ },
  'gzip-file-as-resource': {
    input: { name: 'a.gz', data: 'data:text/plain;base64,aGVsbG8=', outputType: 'resource' },
    says: /resource|saved/,
  },
  'toggle-simulated-logging': { input: {}, says: /logging/i },
  'toggle-subscriber-updates': { input: {}, says: /updat/i },
  'trigger-elicitation-request': { input: {}, says: /declin|cancel/i },
  'trigger-long-running-operation': { input: { duration: 0.4, steps: 4 }, says: /completed/ },
};

async function checkEverything({ call, session, runtimeWith: { mcp } }: McpWorld): Promise<void> {
  const info = mcp.find('ev');
  expect(info.state, info.reason).toBe('ready');
  expect(info.quarantined.map(({ name }) => name)).toEqual(['simulate-research-query']);
  for (const name of info.tools) {
    const { input, says } = INPUTS[name.replace('mcp__ev__', '')] ?? { input: {}, says: /./ };
    const result = await call(name, input);
    expect(result.error, `${name}: ${result.text}`).toBeUndefined();
    expect(result.text, name).toMatch(says);
  }
  expect(info.tools.length).toBeGreaterThanOrEqual(Object.keys(INPUTS).length - 1);
  const opened = await session();
  const told: string[] = [];
  const long = 'mcp__ev__trigger-long-running-operation';
  await opened.call(long, '{"duration":1,"steps":5}', {
    onEvent: (event) => void (event.type === 'tool_progress' && told.push(event.text)),
  });
  expect(told.join('')).toMatch(/[1-4]\/5/);
  const began = Date.now();
  const slow = opened.call(long, '{"duration":30,"steps":30}');
  setTimeout(() => opened.cancel(), 300);
  expect((await slow).error?.code).toBe('cancelled');
  expect(Date.now() - began).toBeLessThan(10_000);
}

verifies('mcp/reference', 'server-everything over stdio', () =>
  withServers({ ev: { command: process.execPath, args: [EVERYTHING, 'stdio'] } }, checkEverything),
);

for (const [mode, path, type] of [
  ['streamableHttp', '/mcp', 'http'],
  ['sse', '/sse', 'sse'],
] as const) {
  verifies('mcp/reference', `server-everything over ${type}`, async () => {
    const port = await freePort();
    const server = spawn(process.execPath, [EVERYTHING, mode], {
      env: { PATH: process.env['PATH'] ?? '', PORT: String(port) },
      stdio: 'ignore',
    });
    try {
      const url = `http://127.0.0.1:${port}${path}`;
      const answers = () => fetch(url, { signal: AbortSignal.timeout(500) }).then((r) => void r.body?.cancel());
      let up = false;
      const knock = setInterval(
        () =>
          void answers().then(
            () => (up = true),
            () => {},
          ),
        100,
      );
      await until(() => up, 'the server').finally(() => clearInterval(knock));
      await withServers({ ev: { type, url } }, checkEverything);
    } finally {
      server.kill('SIGKILL');
      await once(server, 'exit');
    }
  });
}

verifies('mcp/reference', 'server-filesystem and server-memory', () =>
  withServers({}, async ({ runtimeWith: { mcp }, call, project }) => {
    await writeFile(join(project, 'a.txt'), 'inside');
    const files = await mcp.add('files', { command: process.execPath, args: [program('server-filesystem'), project] });
    const memory = {
      command: process.execPath,
      args: [program('server-memory')],
      env: { MEMORY_FILE_PATH: join(project, 'm.json') },
    };
    const graph = await mcp.add('memory', memory);
    expect([files.state, graph.state]).toEqual(['ready', 'ready']);
    expect([files.quarantined, graph.quarantined]).toEqual([[], []]);
    expect((await call('mcp__files__read_text_file', { path: join(project, 'a.txt') })).text).toContain('inside');
    expect((await call('mcp__files__list_directory', { path: project })).text).toContain('a.txt');
    expect((await call('mcp__files__read_text_file', { path: '/etc/passwd' })).error?.code).toBe('failed');
    const entities = [{ name: 'Vega', entityType: 'star', observations: ['bright'] }];
    expect((await call('mcp__memory__create_entities', { entities })).error).toBeUndefined();
    expect((await call('mcp__memory__search_nodes', { query: 'bright' })).text).toContain('Vega');
    expect((await call('mcp__memory__read_graph')).text).toContain('star');
  }),
);

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
