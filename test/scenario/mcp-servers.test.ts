import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type EventBody, textOf } from '../../src/core/index.ts';
import type { McpServerEntry } from '../../src/mcp/index.ts';
import { createMemoryStore, createRuntime, type Runtime, type Session } from '../../src/runtime/index.ts';
import { inTempFolder } from '../../src/testing/temp-folder.ts';
import { verifies } from '../verifies.ts';

const repo = join(import.meta.dirname, '../..');
const server = (name: string) => join(repo, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);

async function withRuntime(body: (runtime: Runtime, folder: string) => Promise<void>): Promise<void> {
  await inTempFolder(async (folder) => {
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], TOOLWRIGHT_HOME: join(folder, 'home') };
    const runtime = await createRuntime({ cwd: folder, env, store: createMemoryStore() });
    try {
      await body(runtime, folder);
    } finally {
      await runtime.close();
    }
  });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  return port;
}

/** The reference server on HTTP in a process of its own. */
async function withHttpServer(mode: 'sse' | 'streamableHttp', body: (port: number) => Promise<void>): Promise<void> {
  const port = await freePort();
  const child = spawn(process.execPath, [server('everything'), mode], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  try {
    let said = '';
    await new Promise<void>((resolve) => {
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes(String(port))) resolve();
      });
    });
    await body(port);
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

/** What each tool of the reference server is called with; the ones that are not here need a client that this is not. */
const INPUTS: Readonly<Record<string, object>> = {
  echo: { message: 'hello' },
  'get-sum': { a: 2, b: 3 },
  'get-annotated-message': { messageType: 'error', includeImage: true },
  'get-env': {},
  'get-resource-links': { count: 2 },
  'get-resource-reference': { resourceType: 'Text', resourceId: 1 },
  'get-structured-content': { location: 'New York' },
  'get-tiny-image': {},
  'gzip-file-as-resource': { name: 'a.gz', data: 'data:text/plain;base64,aGVsbG8=', outputType: 'resource' },
  'get-roots-list': {},
  'toggle-simulated-logging': {},
  'trigger-elicitation-request': {},
  'toggle-subscriber-updates': {},
  'trigger-long-running-operation': { duration: 1, steps: 4 },
};
const WANTED: Readonly<Record<string, RegExp>> = {
  echo: /hello/,
  'trigger-elicitation-request': /declined/,
  'get-sum': /5/,
  'get-structured-content': /temperature/,
  'get-resource-links': /\[resource .*: /,
  'gzip-file-as-resource': /application\/gzip, \d+ bytes, kept as outputs\//,
};

async function callEverything(session: Session): Promise<void> {
  const names = session.tools.names().filter((name) => name.startsWith('mcp__everything__'));
  const known = names.filter((name) => name.replace('mcp__everything__', '') in INPUTS);
  expect(known.length).toBeGreaterThanOrEqual(10);
  for (const name of known) {
    const own = name.replace('mcp__everything__', '');
    const events: EventBody[] = [];
    const result = await session.call(name, INPUTS[own], { onEvent: (event) => void events.push(event) });
    expect({ own, error: result.error }).toEqual({ own, error: undefined });
    const text = textOf(result.content);
    expect({ own, text }).toEqual({ own, text: expect.stringMatching(WANTED[own] ?? /./) });
    if (own === 'get-tiny-image') expect(JSON.stringify(result.content)).toContain('"image"');
    if (own !== 'trigger-long-running-operation') continue;
    const progress = events.flatMap((event) => (event.type === 'tool_progress' ? [event.text] : [])).join('');
    expect(progress).toMatch(/1\/4[\s\S]*2\/4/);
  }
  for (const name of names.filter((each) => !known.includes(each))) {
    const result = await session.call(name, {});
    expect({ name, code: result.error?.code }).toEqual({
      name,
      code: expect.stringMatching(/unavailable|invalid_input|failed/),
    });
  }
  const stop = new AbortController();
  const began = Date.now();
  const cancelled = await session.call(
    'mcp__everything__trigger-long-running-operation',
    { duration: 60, steps: 60 },
    {
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === 'tool_call') setTimeout(() => stop.abort(), 200);
      },
    },
  );
  expect(cancelled.error?.code).toBe('cancelled');
  expect(Date.now() - began).toBeLessThan(10_000);
}

const everything: Record<string, (body: (entry: McpServerEntry) => Promise<void>) => Promise<void>> = {
  stdio: (body) => body({ command: process.execPath, args: [server('everything'), 'stdio'] }),
  http: (body) => withHttpServer('streamableHttp', (port) => body({ url: `http://127.0.0.1:${port}/mcp` })),
  sse: (body) => withHttpServer('sse', (port) => body({ type: 'sse', url: `http://127.0.0.1:${port}/sse` })),
};

for (const [transport, lend] of Object.entries(everything)) {
  verifies(
    'mcp/reference',
    `server-everything over ${transport}: every tool, progress, cancel`,
    () =>
      lend((entry) =>
        withRuntime(async (runtime) => {
          await runtime.mcp.add('everything', entry);
          await runtime.mcp.tried();
          await callEverything(await runtime.session({ mode: 'open' }));
        }),
      ),
    60_000,
  );
}

verifies('mcp/reference', 'an address without a type falls back to the older transport', () =>
  withHttpServer('sse', (port) =>
    withRuntime(async (runtime) => {
      await runtime.mcp.add('old', { url: `http://127.0.0.1:${port}/sse` });
      const session = await runtime.session({ mode: 'open' });
      expect(textOf((await session.call('mcp__old__echo', { message: 'so be it' })).content)).toContain('so be it');
    }),
  ),
);

verifies('mcp/reference', 'the servers of files and of memory: what they do is asked for, and done', () =>
  withRuntime(async (runtime, folder) => {
    await mkdir(join(folder, 'data'));
    await writeFile(join(folder, 'data/a.txt'), 'of the server\n');
    await runtime.mcp.add('files', {
      command: process.execPath,
      args: [server('filesystem'), join(folder, 'data')],
      trusted: true,
    });
    await runtime.mcp.add('memory', {
      command: process.execPath,
      args: [server('memory')],
      env: { MEMORY_FILE_PATH: join(folder, 'memory.json') },
    });
    await runtime.mcp.tried();
    const session = await runtime.session();
    const read = await session.call('mcp__files__read_text_file', { path: join(folder, 'data/a.txt') });
    expect(textOf(read.content)).toContain('of the server');
    const write = { path: join(folder, 'data/b.txt'), content: 'x' };
    expect((await session.call('mcp__files__write_file', write)).error?.code).toBe('denied');
    expect((await session.call('mcp__memory__read_graph', {})).error?.code).toBe('denied');
    const granted = await runtime.session({ allow: ['mcp__memory__*', 'mcp__files__write_file'] });
    expect((await granted.call('mcp__files__write_file', write)).error).toBeUndefined();
    const entities = [{ name: 'M31', entityType: 'galaxy', observations: ['is near'] }];
    expect((await granted.call('mcp__memory__create_entities', { entities })).error).toBeUndefined();
    expect(textOf((await granted.call('mcp__memory__read_graph', {})).content)).toContain('is near');
  }),
);
