import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'vitest';
import { defineMcpServer, defineMcpTool } from '../../src/mcp/index.ts';
import { createMemoryStore, createRuntime, serveMcpOnHttp } from '../../src/runtime/index.ts';
import { inTempFolder } from '../../src/testing/temp-folder.ts';
import { verifies } from '../verifies.ts';

const repo = join(import.meta.dirname, '../..');
const BIN = join(repo, 'bin/toolwright.js');
const INSPECTOR = join(repo, 'node_modules/@modelcontextprotocol/inspector-cli/build/cli.js');
const run = promisify(execFile);
const TOKEN = 'only-for-this-test';

const textOf = (result: unknown) =>
  ((result as { content: { text?: string }[] }).content ?? []).map((part) => part.text ?? '').join('\n');

/** Clients of both eras, and whether they can be asked. */
function newClient(era: 'legacy' | 'modern', answer?: (params: { message: string }) => object): Client {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params as { message: string }) as never);
  }
  return client;
}

async function withDoor(body: (url: string, folder: string) => Promise<void>): Promise<void> {
  await inTempFolder(async (folder) => {
    const env = { TOOLWRIGHT_HOME: join(folder, 'home') };
    const runtime = await createRuntime({ cwd: folder, env, store: createMemoryStore() });
    const door = await serveMcpOnHttp({ runtime, version: '1.0.0', session: {}, port: 0, token: TOKEN });
    try {
      await body(door.url, folder);
    } finally {
      await door.close();
      await runtime.close();
    }
  });
}

const httpLine = (url: string, token = TOKEN) =>
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } });

for (const era of ['legacy', 'modern'] as const) {
  verifies('mcp/serve', `${era}, HTTP: tools are listed and called, live output comes as progress`, () =>
    withDoor(async (url, folder) => {
      await writeFile(join(folder, 'a.txt'), 'hello\n');
      const client = newClient(era);
      await client.connect(httpLine(url));
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(['file_edit', 'read_file', 'run_bash']));
      expect(tools.find((tool) => tool.name === 'read_file')?.annotations).toEqual({ readOnlyHint: true });
      expect(textOf(await client.callTool({ name: 'read_file', arguments: { path: 'a.txt' } }))).toContain('hello');
      const missing = await client.callTool({ name: 'read_file', arguments: { path: 'b.txt' } });
      expect(missing.isError).toBe(true);
      expect(textOf(missing)).toContain('b.txt');
      const wrong = await client.callTool({ name: 'read_file', arguments: { path: 5 } });
      expect(textOf(wrong)).toContain('invalid_input');
      await expect(client.callTool({ name: 'nope', arguments: {} })).rejects.toThrow(/no tool "nope"/);
      const many = await Promise.all(
        Array.from({ length: 32 }, () =>
          client.callTool({ name: 'read_file', arguments: { path: 'a.txt', limit: 1 } }),
        ),
      );
      expect(many.every((result) => textOf(result).includes('hello'))).toBe(true);
      await client.close();
    }),
  );

  verifies(
    'mcp/serve-ask',
    `${era}, HTTP: the person says yes, no or nothing; a client that cannot ask is told why`,
    () =>
      withDoor(async (url, folder) => {
        const asked: string[] = [];
        const tried = async (answer?: (params: { message: string }) => object) => {
          const client = newClient(
            era,
            answer &&
              ((params) => {
                asked.push(params.message);
                return answer(params);
              }),
          );
          await client.connect(httpLine(url));
          const result = await client.callTool({ name: 'file_write', arguments: { path: 'x.txt', content: 'new\n' } });
          await client.close();
          return { isError: result.isError === true, text: textOf(result) };
        };
        expect(await tried()).toMatchObject({ isError: true, text: expect.stringContaining('denied') });
        expect(await tried(() => ({ action: 'decline' }))).toMatchObject({ isError: true });
        expect(await tried(() => ({ action: 'cancel' }))).toMatchObject({ isError: true });
        await expect(readFile(join(folder, 'x.txt'))).rejects.toThrow(/ENOENT/);
        expect(await tried(() => ({ action: 'accept', content: { allow: true } }))).toMatchObject({ isError: false });
        expect(await readFile(join(folder, 'x.txt'), 'utf8')).toBe('new\n');
        expect(asked).toHaveLength(3);
        expect(asked[0]).toContain('x.txt');
      }),
  );
}

verifies(
  'mcp/serve',
  'skills are prompts and resources; tools of servers behind the house are served under its rules',
  () =>
    inTempFolder(async (folder) => {
      const home = join(folder, 'home');
      const skill = '---\nname: greet\ndescription: Greets somebody.\n---\nSay hello to $ARGUMENTS.\n';
      await mkdir(join(home, 'skills/greet'), { recursive: true });
      await writeFile(join(home, 'skills/greet/SKILL.md'), skill);
      const runtime = await createRuntime({ cwd: folder, env: { TOOLWRIGHT_HOME: home }, store: createMemoryStore() });
      const tool = (name: string, readOnlyHint: boolean) =>
        defineMcpTool({
          name,
          description: name,
          inputSchema: { type: 'object' },
          annotations: { readOnlyHint },
          run: () => `from behind: ${name}`,
        });
      await runtime.mcp.add(
        'behind',
        defineMcpServer({ name: 'behind', tools: [tool('look', true), tool('change', false)] }),
      );
      const door = await serveMcpOnHttp({ runtime, version: '1.0.0', session: {}, port: 0, token: TOKEN });
      const client = newClient('modern');
      try {
        await client.connect(httpLine(door.url));
        expect((await client.listPrompts()).prompts.map((prompt) => prompt.name)).toEqual(['greet']);
        const { messages } = await client.getPrompt({ name: 'greet', arguments: { arguments: "$& O'Neil" } });
        expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining("Say hello to $& O'Neil.") });
        const [resource] = (await client.listResources()).resources;
        const read = await client.readResource({ uri: String(resource?.uri) });
        expect(read.contents[0]).toMatchObject({ text: expect.stringContaining('Say hello to $ARGUMENTS.') });
        await expect(client.readResource({ uri: 'skill://greet/../../secret' })).rejects.toThrow();
        await expect(client.getPrompt({ name: 'none' })).rejects.toThrow(/no prompt/);
        const look = await client.callTool({ name: 'mcp__behind__look', arguments: {} });
        expect(textOf(look)).toBe('from behind: look');
        expect(textOf(await client.callTool({ name: 'mcp__behind__change', arguments: {} }))).toContain('denied');
      } finally {
        await client.close();
        await door.close();
        await runtime.close();
      }
    }),
);

verifies('mcp/serve', 'a client of the older SDK is served, and its session ends when it says so', () =>
  withDoor(async (url) => {
    const client = new OldClient({ name: 'old', version: '1.0.0' });
    const line = new OldHttp(new URL(url), { requestInit: { headers: { authorization: `Bearer ${TOKEN}` } } });
    await client.connect(line as never);
    expect((await client.listTools()).tools.length).toBeGreaterThan(3);
    const id = line.sessionId;
    await line.terminateSession();
    await client.close();
    const late = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': String(id),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
    expect(late.status).toBe(404);
  }),
);

verifies('mcp/serve', 'over stdio a cancelled call ends its command, and the process ends with its client', () =>
  inTempFolder(async (folder) => {
    const env = { ...process.env, TOOLWRIGHT_HOME: join(folder, 'home') } as Record<string, string>;
    const args = [BIN, 'mcp', 'serve', '--cwd', folder, '--allow', 'run_bash'];
    const client = newClient('modern');
    const line = new StdioClientTransport({ command: process.execPath, args, env });
    await client.connect(line);
    const stop = new AbortController();
    const progress: string[] = [];
    const call = client.callTool(
      { name: 'run_bash', arguments: { command: 'echo started; sleep 60' } },
      {
        signal: stop.signal,
        onprogress: ({ message }) => {
          progress.push(message ?? '');
          stop.abort(new Error('enough'));
        },
      },
    );
    await expect(call).rejects.toThrow();
    expect(progress.join('')).toContain('started');
    expect(textOf(await client.callTool({ name: 'run_bash', arguments: { command: 'echo again' } }))).toContain(
      'again',
    );
    const { pid } = line;
    await client.close();
    expect(() => process.kill(pid as number, 0)).toThrow(/ESRCH/);
  }),
);

verifies(
  'mcp/serve',
  'the official inspector lists and calls the tools over stdio and HTTP',
  () =>
    inTempFolder(async (folder) => {
      await writeFile(join(folder, 'a.txt'), 'from the inspector\n');
      const env = { ...process.env, TOOLWRIGHT_HOME: join(folder, 'home'), TOOLWRIGHT_MCP_TOKEN: TOKEN };
      const inspect = async (target: readonly string[], rest: readonly string[]) => {
        const { stdout } = await run(process.execPath, [INSPECTOR, '--cli', ...target, ...rest], {
          env,
          timeout: 30_000,
          // It looks for its own package.json from where it is.
          cwd: dirname(INSPECTOR),
        });
        return JSON.parse(stdout) as { tools?: { name: string }[]; content?: { text: string }[] };
      };
      const call = ['--method', 'tools/call', '--tool-name', 'read_file', '--tool-arg', 'path=a.txt'];
      const stdio = [process.execPath, BIN, 'mcp', 'serve', '--cwd', folder];
      const listed = await inspect(stdio, ['--method', 'tools/list']);
      expect(listed.tools?.map((tool) => tool.name)).toContain('read_file');
      expect((await inspect(stdio, call)).content?.[0]?.text).toContain('from the inspector');

      const server = spawn(process.execPath, [BIN, 'mcp', 'serve', '--http', '0', '--cwd', folder], {
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const exited = once(server, 'exit');
      try {
        const url = await addressIn(server.stderr);
        const http = [url, '--transport', 'http', '--header', `Authorization: Bearer ${TOKEN}`];
        expect((await inspect(http, ['--method', 'tools/list'])).tools?.length).toBe(listed.tools?.length);
        expect((await inspect(http, call)).content?.[0]?.text).toContain('from the inspector');
      } finally {
        server.kill('SIGTERM');
        await exited;
      }
    }),
  60_000,
);

verifies(
  'mcp/serve-http',
  'without the token, by a foreign name, with too much or with nonsense nothing is served',
  () =>
    withDoor(async (url) => {
      const post = (body: string, headers: Record<string, string> = {}) =>
        fetch(url, {
          method: 'POST',
          body,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            authorization: `Bearer ${TOKEN}`,
            ...headers,
          },
        });
      const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      expect((await post(list, { authorization: '' })).status).toBe(401);
      expect((await post(list, { authorization: 'Bearer wrong' })).status).toBe(401);
      expect((await post(list, { origin: 'http://evil.example' })).status).toBe(403);
      expect((await post('{"jsonrpc": "2.0"')).status).toBe(400);
      expect((await post('[]')).status).toBe(400);
      expect((await post(list)).status).toBe(400);
      expect((await post(`{"a":"${'x'.repeat(5 * 1_048_576)}"}`)).status).toBe(413);
      expect((await post(list, { 'mcp-session-id': 'never-given' })).status).toBe(404);
      expect((await fetch(new URL('/other', url))).status).toBe(404);
      expect(await byHostName(url, 'evil.example')).toMatch(/^HTTP\/1.1 403/);
      await expect(newClient('legacy').connect(httpLine(url, 'wrong'))).rejects.toThrow();
    }),
);

verifies('mcp/serve-http', 'an address that can be reached from outside needs a token', async () => {
  const runtime = await createRuntime({ env: { TOOLWRIGHT_HOME: '/nowhere' }, store: createMemoryStore() });
  const door = serveMcpOnHttp({ runtime, version: '1.0.0', session: {}, port: 0, host: '0.0.0.0' });
  await expect(door).rejects.toThrow(/needs a token/);
  await runtime.close();
});

/** The address that a server prints when it is there; what it prints later is let go. */
async function addressIn(output: Readable): Promise<string> {
  let printed = '';
  return new Promise((resolve, reject) => {
    output.on('data', (chunk) => {
      printed += String(chunk);
      const found = /(http:\S+)\n/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    output.once('end', () => reject(new Error(`it printed no address: ${printed}`)));
  });
}

/** The beginning of the answer to a request that calls the server by that name. */
async function byHostName(url: string, name: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`GET /mcp HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return head.toString();
}
