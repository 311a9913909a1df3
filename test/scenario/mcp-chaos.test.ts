import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { EventBody, ToolResult } from '../../src/core/index.ts';
import { textOf } from '../../src/core/index.ts';
import type { McpServerEntry } from '../../src/mcp/index.ts';
import { createMemoryStore, createRuntime, type Runtime, type Session } from '../../src/runtime/index.ts';
import { inTempFolder } from '../../src/testing/temp-folder.ts';
import { verifies } from '../verifies.ts';

const repo = join(import.meta.dirname, '../..');
const CHAOS = join(repo, 'test/fixtures/chaos-mcp-server.ts');
const TSX = join(repo, 'node_modules/tsx/dist/loader.mjs');

const chaos = (...flags: string[]): McpServerEntry => ({
  command: process.execPath,
  args: ['--import', TSX, CHAOS, ...flags],
});

interface World {
  readonly runtime: Runtime;
  readonly session: Session;
  readonly folder: string;
  readonly logged: string[];
  call(tool: string, input?: object, onEvent?: (event: EventBody) => void): Promise<ToolResult & { text: string }>;
}

const ENV = { PATH: process.env['PATH'], HOME: process.env['HOME'], LLM_API_KEY: 'never-to-be-seen' };

function withServers(servers: Record<string, McpServerEntry>, body: (world: World) => Promise<void>): Promise<void> {
  return inTempFolder(async (folder) => {
    const logged: string[] = [];
    const runtime = await createRuntime({
      cwd: folder,
      env: { ...ENV, TOOLWRIGHT_HOME: join(folder, 'home') },
      store: createMemoryStore(),
      log: (level, message) => void logged.push(`${level}: ${message}`),
    });
    try {
      for (const [name, server] of Object.entries(servers)) await runtime.mcp.add(name, server);
      const session = await runtime.session({ mode: 'open' });
      const call: World['call'] = async (tool, input = {}, onEvent) => {
        const name = tool.startsWith('mcp__') ? tool : `mcp__chaos__${tool}`;
        const result = await session.call(name, input, onEvent === undefined ? {} : { onEvent });
        return { ...result, text: textOf(result.content) };
      };
      await body({ runtime, session, folder, logged, call });
    } finally {
      await runtime.close();
    }
  });
}

const until = async (done: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 400; tries++) {
    if (await done()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('it did not come to pass');
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** What each odd answer must end in: a word of the text, and the code when it is an error. */
const ANSWERS: readonly (readonly [tool: string, text: RegExp, code?: string])[] = [
  ['garbage_around', /^among garbage$/],
  ['glued', /^behind noise$/],
  ['junk_megabyte', /^after a megabyte$/],
  ['half_json', /^after half$/],
  ['split_answer', /^à demi$/],
  ['twice', /^first$/],
  ['wrong_id', /^for me$/],
  ['result_and_error', /and an error.*-32000/, 'failed'],
  ['result_null', /failed/, 'failed'],
  ['result_list', /failed/, 'failed'],
  ['empty_result', /^\(no output\)$/],
  ['no_content', /"a": 1/],
  ['empty_content', /"a": 1/],
  ['content_text', /content is a string/, 'failed'],
  ['text_without_text', /without its text/, 'failed'],
  ['unknown_kind', /hologram/],
  ['sound', /audio audio\/wav, 4 bytes, kept as outputs\//],
  ['resources', /file:\/\/\/a.txt[\s\S]*inner text[\s\S]*application\/zip, 4 bytes, kept as outputs\//],
  ['is_error', /bad/, 'failed'],
  ['is_error_text', /bad/, 'failed'],
  ['error_invalid', /no such thing.*-32602/, 'failed'],
  ['error_method', /unknown.*-32601/, 'failed'],
  ['error_silent', /refused|failed/, 'failed'],
  ['flood_stderr', /^stderr was read$/],
  ['huge', /persisted-output/],
];

verifies('MCP-01', 'noise, odd answers and odd results: each call ends in the right result beside its siblings', () =>
  withServers({ chaos: chaos('--stderr') }, async ({ call, session, runtime }) => {
    const results = await Promise.all(ANSWERS.map(([tool]) => call(tool)));
    for (const [index, [tool, text, code]] of ANSWERS.entries()) {
      expect({ tool, text: results[index]?.text.slice(0, 2_000) }).toEqual({ tool, text: expect.stringMatching(text) });
      expect({ tool, code: results[index]?.error?.code }).toEqual({ tool, code });
    }
    expect((await call('echo', { text: 'still here' })).text).toBe('still here');
    expect((await runtime.mcp.list())[0]).toMatchObject({ status: 'ready', protocol: '2025-11-25' });
    expect(session.tools.names()).toContain('mcp__chaos__echo');
  }),
);

verifies('MCP-13', 'no result is empty, and what cannot be shown is named and kept', () =>
  withServers({ chaos: chaos() }, async ({ call, folder }) => {
    const { text } = await call('sound');
    const path = /kept as (outputs\/\S+)\]/.exec(text)?.[1] as string;
    const [own] = await readdir(join(folder, 'home/outputs'));
    const kept = await readFile(join(folder, 'home/outputs', own as string, path.replace('outputs/', '')));
    expect(kept.toString()).toBe('RIFF');
    expect((await call('no_content')).data).toEqual({ structuredContent: { a: 1 } });
    for (const tool of ['no_content', 'empty_content', 'unknown_kind', 'empty_result']) {
      expect((await call(tool)).text.length).toBeGreaterThan(0);
    }
  }),
);

verifies('MCP-15', 'errors of the protocol and of tools are results, with their code, and end no sibling', () =>
  withServers({ chaos: chaos() }, async ({ session }) => {
    const lines = ['error_invalid', 'is_error', 'echo', 'error_method', 'result_null'];
    const results: Record<string, string | undefined> = {};
    for await (const event of session.run(lines.map((tool) => `mcp__chaos__${tool} {}`).join('\n'))) {
      if (event.type === 'tool_result') results[event.result.name] = event.result.error?.code;
    }
    expect(results).toEqual({
      mcp__chaos__error_invalid: 'failed',
      mcp__chaos__is_error: 'failed',
      mcp__chaos__echo: undefined,
      mcp__chaos__error_method: 'failed',
      mcp__chaos__result_null: 'failed',
    });
  }),
);

verifies('MCP-03', 'a crash ends what was pending with its reason; the server comes back by itself', () =>
  withServers({ chaos: { ...chaos(), parallel: true }, other: chaos() }, async ({ call, runtime }) => {
    const pending = [call('never'), call('never'), call('crash')];
    for (const result of await Promise.all(pending)) {
      expect(result.error?.code).toBe('uncertain');
      expect(result.text).toMatch(/MCP server chaos .*exit code 7[\s\S]*disk is on fire/);
    }
    const down = await call('echo');
    expect(down.error).toMatchObject({ code: 'unavailable', retryable: true });
    expect((await call('mcp__other__echo')).text).toBe('echo');
    await until(async () => (await runtime.mcp.list())[0]?.status === 'ready');
    expect((await call('echo')).text).toBe('echo');
    expect((await call('crash_signal')).text).toMatch(/SIGKILL/);
  }),
);

verifies('MCP-03', 'a large request to a server that dies, or reads no more, harms nobody', () =>
  withServers({ chaos: { ...chaos(), parallel: true } }, async ({ call, runtime }) => {
    const big = { text: 'b'.repeat(2 * 1_048_576) };
    const both = await Promise.all([call('crash'), call('echo', big)]);
    expect(both.every((result) => ['uncertain', 'unavailable'].includes(result.error?.code ?? ''))).toBe(true);
    await until(async () => (await runtime.mcp.list())[0]?.status === 'ready');
    expect((await call('echo', big)).text).toContain('persisted-output');
  }),
);

verifies(
  'MCP-04',
  'a silent server delays nobody; a call without an answer ends and is called off; a late answer is dropped',
  () =>
    withServers(
      {
        silent: { ...chaos('--silent'), timeouts: { connect: 1_500 } },
        slow: chaos('--slow'),
        chaos: { ...chaos(), parallel: true, timeouts: { call: 300 } },
      },
      async ({ call, runtime, session }) => {
        const began = Date.now();
        expect((await call('echo')).text).toBe('echo');
        const [never, late] = await Promise.all([call('never'), call('late')]);
        expect(never.error?.code).toBe('timeout');
        expect(late.error?.code).toBe('timeout');
        await new Promise((resolve) => setTimeout(resolve, 700));
        expect((await call('echo')).text).toBe('echo');
        await until(() => session.tools.names().includes('mcp__slow__echo'));
        expect((await call('mcp__slow__echo')).text).toBe('echo');
        await runtime.mcp.tried('silent');
        const silent = (await runtime.mcp.list()).find((server) => server.name === 'silent');
        expect(silent?.reason).toMatch(/did not answer within 1.5 s/);
        expect(Date.now() - began).toBeLessThan(20_000);
      },
    ),
);

verifies('MCP-04', 'progress keeps a quiet call alive under its hard cap', () =>
  withServers({ chaos: { ...chaos(), parallel: true, timeouts: { call: 10_000, idle: 300 } } }, async ({ call }) => {
    expect((await call('steady_progress')).text).toBe('steady');
    expect((await call('never')).error?.code).toBe('timeout');
  }),
);

verifies('MCP-09', 'progress that is late, foreign, backwards or huge harms nothing', () =>
  withServers({ chaos: chaos() }, async ({ call }) => {
    const events: EventBody[] = [];
    expect((await call('progress_noise', {}, (event) => void events.push(event))).text).toBe('done');
    const told = events.flatMap((event) => (event.type === 'tool_progress' ? [event] : []));
    const text = told.map((event) => event.text).join('');
    expect(text).toContain('one');
    expect(text).not.toContain('for nobody');
    expect(text.length).toBeLessThan(10_000);
    expect(told.findIndex((event) => event.closed)).toBe(told.length - 1);
    expect((await call('echo')).text).toBe('echo');
  }),
);

verifies('MCP-08', 'all pages are read; a cursor that comes again, and a list without end, end', () =>
  withServers(
    {
      pages: chaos('--pages'),
      same: chaos('--same-cursor'),
      empty: chaos('--empty-cursor'),
      endless: chaos('--endless'),
    },
    async ({ runtime }) => {
      await runtime.mcp.tried();
      const counts = Object.fromEntries((await runtime.mcp.list()).map((server) => [server.name, server]));
      expect(counts['pages']).toMatchObject({ tools: 6, warnings: [] });
      expect(counts['same']).toMatchObject({
        tools: 2,
        warnings: [expect.stringContaining('twice'), expect.any(String), expect.any(String)],
      });
      expect(counts['empty']).toMatchObject({ tools: 4 });
      expect(counts['endless']).toMatchObject({ tools: 100, warnings: [expect.stringContaining('100 pages')] });
    },
  ),
);

verifies('MCP-16', 'changed lists are read once for a storm, again after a failure, and appear in the session', () =>
  withServers({ chaos: chaos(), mute: chaos('--no-changes') }, async ({ call, session }) => {
    const has = (name: string) => session.tools.names().includes(name);
    await call('add_tool');
    await until(() => has('mcp__chaos__added'));
    expect((await call('added')).text).toBe('echo');
    const before = Number((await call('count_lists')).text);
    await call('drop_tool');
    await until(() => !has('mcp__chaos__added'));
    expect((await call('added')).error?.code).toMatch(/unknown_tool|unavailable/);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(Number((await call('count_lists')).text) - before).toBeLessThanOrEqual(3);
    await call('fail_next_list');
    await until(() => has('mcp__chaos__after_failure'));
    await call('mcp__mute__add_tool');
    await until(() => has('mcp__mute__added'));
  }),
);

verifies('mcp/pins', 'a pinned tool that says something else is told and asked for again', () =>
  inTempFolder(async (folder) => {
    const env = { ...ENV, TOOLWRIGHT_HOME: join(folder, 'home') };
    const logged: string[] = [];
    const open = () =>
      createRuntime({ cwd: folder, env, store: createMemoryStore(), log: (_, message) => void logged.push(message) });
    const runtime = await open();
    await runtime.mcp.add('chaos', { ...chaos(), pinned: true });
    const session = await runtime.session({ mode: 'open' });
    expect((await session.call('mcp__chaos__echo', {})).error).toBeUndefined();
    await session.call('mcp__chaos__change_word', {});
    await until(() => logged.some((line) => line.includes('says something else')));
    const result = await session.call('mcp__chaos__echo', {});
    expect(result.error?.code).toBe('denied');
    expect(textOf(result.content)).toContain('when it was first seen');
    await runtime.close();
    const again = await open();
    await again.mcp.add('chaos', { ...chaos(), pinned: true });
    expect((await (await again.session({ mode: 'open' })).call('mcp__chaos__echo', {})).error).toBeUndefined();
    await again.close();
  }),
);

verifies('REG-03', 'tools with odd names and schemas: what can be offered is, the rest is told by name', () =>
  withServers({ 'odd one': chaos('--odd-tools') }, async ({ runtime, session, call }) => {
    await runtime.mcp.tried();
    const [server] = await runtime.mcp.list();
    const names = Object.entries(server?.toolNames ?? {});
    expect(names.map(([, own]) => own).sort()).toEqual(['bad schema.v2', 'broken_ref', 'echo', 'no_schema']);
    for (const [exposed] of names) expect(exposed).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(server?.warnings.join('\n')).toMatch(/in its list twice[\s\S]*no name/);
    const exposedOf = (own: string) => names.find(([, name]) => name === own)?.[0] as string;
    const offered = session.tools.definitions().map((definition) => definition.name);
    expect(offered).toContain(exposedOf('no_schema'));
    expect(offered).toContain(exposedOf('bad schema.v2'));
    const faults = runtime.registry.faults();
    expect(faults.find((fault) => fault.name === exposedOf('broken_ref'))?.message ?? 'offered').toMatch(
      /\$ref|\$defs|offered/,
    );
    expect((await call(exposedOf('echo'))).text).toBe('echo');
  }),
);

verifies('MCP-06', 'a child sees its own variables and the short list, and none of the secrets', () =>
  withServers(
    {
      chaos: { ...chaos(), env: { MY: '1', HOMELY: '$' + '{HOME}' } },
      dead: { command: 'nope-not-there' },
      nowhere: { ...chaos(), cwd: '/nowhere/at/all' },
    },
    async ({ call, runtime }) => {
      const seen = JSON.parse((await call('environment')).text) as Record<string, string>;
      expect(seen).toMatchObject({ MY: '1', HOMELY: process.env['HOME'], PATH: process.env['PATH'] });
      expect(JSON.stringify(seen)).not.toContain('never-to-be-seen');
      await runtime.mcp.tried();
      const list = await runtime.mcp.list();
      expect(list.find(({ name }) => name === 'dead')).toMatchObject({
        status: 'down',
        reason: expect.stringContaining('"nope-not-there" was not found'),
      });
      expect(list.find(({ name }) => name === 'nowhere')?.reason).toContain('/nowhere/at/all');
    },
  ),
);

verifies(
  'MCP-07',
  'closing ends the server and what it started, though it ignores every word',
  () =>
    inTempFolder(async (folder) => {
      const env = { ...ENV, TOOLWRIGHT_HOME: join(folder, 'home') };
      const runtime = await createRuntime({ cwd: folder, env, store: createMemoryStore() });
      const wrapped = `${process.execPath} --import ${TSX} ${CHAOS} --deaf; :`;
      await runtime.mcp.add('chaos', { command: 'sh', args: ['-c', wrapped] });
      const session = await runtime.session({ mode: 'open' });
      const grandchild = Number(textOf((await session.call('mcp__chaos__grandchild', {})).content));
      expect(isAlive(grandchild)).toBe(true);
      const began = Date.now();
      await runtime.close();
      expect(Date.now() - began).toBeLessThan(8_000);
      await until(() => !isAlive(grandchild));
    }),
  30_000,
);

verifies(
  'MCP-07',
  'a host that is killed leaves no server behind',
  () =>
    inTempFolder(async (folder) => {
      await mkdir(join(folder, 'home'));
      const servers = { chaos: { command: process.execPath, args: ['--import', TSX, CHAOS, '--deaf'] } };
      await writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
      const env = { ...process.env, TOOLWRIGHT_HOME: join(folder, 'home') };
      const args = [join(repo, 'bin/toolwright.js'), 'run', '--trust-project', '--permission-mode', 'open', '--json'];
      const host = spawn(process.execPath, [...args, 'mcp__chaos__environment {}\n---\nmcp__chaos__never {}'], {
        cwd: folder,
        env,
      });
      const exited = once(host, 'exit');
      let printed = '';
      host.stdout.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
      });
      await until(() => /TOOLWRIGHT_TASK/.test(printed));
      const task = /TOOLWRIGHT_TASK\\*":\\*"(mcp_[0-9a-f]+)/.exec(printed)?.[1] as string;
      const servants = async () => {
        const { stdout } = await promisify(execFile)('sh', [
          '-c',
          `grep -lz TOOLWRIGHT_TASK=${task} /proc/[0-9]*/environ 2>/dev/null || true`,
        ]);
        return stdout.split('\n').filter((line) => line.includes('/proc/'));
      };
      expect((await servants()).length).toBeGreaterThan(0);
      host.kill('SIGKILL');
      await exited;
      await until(async () => (await servants()).length === 0);
    }),
  30_000,
);
