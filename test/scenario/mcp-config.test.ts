import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AskPower } from '../../src/core/index.ts';
import { verifies } from '../verifies.ts';
import { cli, withEnv } from './cli-world.ts';
import { chaos, until, withServers } from './mcp-world.ts';
import { inWorld, scripted } from './runtime-world.ts';

verifies('mcp/config', 'file, line and key; each bad entry costs only itself; no value is told', () =>
  inWorld(async ({ home, runtime }) => {
    const entries = {
      neither: {},
      args: { command: 'x', args: ['--token=hunter2-hunter2', 5] },
      variable: { command: 'x', env: { A: '${NOT_SET_ANYWHERE}' } },
      kind: { type: 'carrier-pigeon', url: 'http://x' },
      url: { url: 'ftp://hunter2-hunter2@x' },
      timeouts: { command: 'x', timeouts: { call: -1 } },
      typo: { ...chaos('plain'), trustd: true },
      header: { url: 'http://127.0.0.1:9/', headers: { 'bad name': 'hunter2-hunter2' } },
      good: chaos('plain'),
    };
    const path = join(home, 'toolwright.json');
    const text = JSON.stringify({ mcpServers: entries }, null, 2);
    await writeFile(path, text);
    const { mcp, warnings } = await runtime();
    await mcp.settled();
    const line = (needle: string) => text.slice(0, text.indexOf(needle)).split('\n').length;
    const expected: [string, string, string][] = [
      ['neither', '"neither"', 'mcpServers.neither'],
      ['args', '        5', 'mcpServers.args.args.1'],
      ['variable', '"A"', 'NOT_SET_ANYWHERE'],
      ['kind', '"type"', 'mcpServers.kind.type'],
      ['url', '"url": "ftp', 'mcpServers.url.url'],
      ['timeouts', '"call"', 'mcpServers.timeouts.timeouts.call'],
      ['header', '"bad name"', 'mcpServers.header.headers.bad name'],
    ];
    for (const [name, needle, says] of expected) {
      const { state, reason } = mcp.find(name);
      expect(state, name).toBe('invalid');
      expect(reason).toContain(`${path}:${line(needle)}: `);
      expect(reason).toContain(says);
    }
    expect(warnings.join('\n')).toMatch(/trustd has no effect; did you mean "trusted"/);
    expect(mcp.find('good').state).toBe('ready');
    expect(JSON.stringify([warnings, mcp.list()])).not.toContain('hunter2');
  }),
);

verifies('mcp/config', 'a file that is no JSON is told by its line, without what stands on it', () =>
  inWorld(async ({ project, home, runtime, env }) => {
    await writeFile(join(project, '.mcp.json'), '{\n  "mcpServers": {\n    "a": {"env": {"K": "hunter2"} "x"}\n}}');
    const { warnings } = await runtime();
    expect(warnings.join('\n')).toContain(`${join(project, '.mcp.json')} is not valid JSON: line 3`);
    await writeFile(join(home, 'toolwright.json'), '{"a": hunter2}');
    await expect(runtime({ env })).rejects.toThrow(/toolwright\.json is not valid JSON: line 1, column 7$/);
    expect(warnings.join('\n')).not.toContain('hunter2');
  }),
);

verifies('mcp/trust', 'a project that nobody trusts: listed, not started; its names take nothing from the home', () =>
  inWorld(async ({ project, home, runtime }) => {
    const started = join(project, 'started');
    const ours = { mcpServers: { theirs: chaos('plain', {}, started), shared: chaos('plain', {}, started) } };
    await writeFile(join(project, '.mcp.json'), JSON.stringify(ours));
    await writeFile(join(home, 'toolwright.json'), JSON.stringify({ mcpServers: { shared: chaos('plain') } }));
    const careful = await runtime();
    await careful.mcp.settled();
    expect(careful.mcp.find('theirs').state).toBe('untrusted');
    expect(careful.mcp.find('shared')).toMatchObject({ state: 'ready', source: join(home, 'toolwright.json') });
    expect(careful.warnings.join('\n')).toMatch(/not trusted.*theirs/);
    await expect(stat(started)).rejects.toThrow();
    const trusting = await runtime({ trustProject: true });
    await trusting.mcp.settled();
    expect(trusting.mcp.find('theirs').state).toBe('ready');
    expect(trusting.mcp.find('shared').source).toBe(join(project, '.mcp.json'));
  }),
);

verifies('mcp/traits', 'annotations of a trusted server count, those of others do not', () =>
  withServers(
    { sure: chaos('hints', { trusted: true }), other: chaos('hints'), many: chaos('plain', { parallel: true }) },
    async ({ runtimeWith: { registry } }) => {
      const facts = { session: {}, roots: {} } as never;
      const of = async (name: string) => {
        const tool = registry.get(name);
        return { readOnly: tool?.traits?.readOnly, claims: await tool?.claims?.({}, facts) };
      };
      expect(await of('mcp__sure__echo')).toEqual({ readOnly: true, claims: [{ key: 'mcp:sure', mode: 'read' }] });
      expect(await of('mcp__other__echo')).toEqual({ readOnly: false, claims: [{ key: 'mcp:other', mode: 'write' }] });
      expect(await of('mcp__many__echo')).toEqual({ readOnly: false, claims: [{ key: 'mcp:many', mode: 'read' }] });
    },
  ),
);

verifies('mcp/pinned', 'a changed definition is told, and asked for until it was accepted', () =>
  withServers({ s: chaos('plain', { pinned: true }), t: chaos('plain') }, async ({ runtimeWith, logged, runtime }) => {
    const { registry } = runtimeWith;
    const asked: string[] = [];
    const options = {
      mode: 'open' as const,
      onAsk: async ({ reason }: { reason: string }) => {
        asked.push(reason);
        return { outcome: 'approved' as const };
      },
    };
    const session = await runtimeWith.session(options);
    for (const name of ['s', 't']) {
      await session.call(`mcp__${name}__echo`, '{"do":"redefine"}');
      await until(() => registry.get(`mcp__${name}__echo`)?.description === 'something else', 'the new definition');
    }
    expect(asked).toEqual([]);
    expect(logged.some(({ message }) => /server s has changed the definition of echo/.test(message))).toBe(true);
    const silent = await runtimeWith.session({ mode: 'open' });
    expect((await silent.call('mcp__s__echo', '{}')).error?.code).toMatch(/denied|unanswered/);
    expect((await session.call('mcp__s__echo', '{"n":1}')).error).toBeUndefined();
    expect((await session.call('mcp__t__echo', '{"n":1}')).error).toBeUndefined();
    expect(asked).toEqual([expect.stringContaining('has changed the definition of echo')]);
    expect((await silent.call('mcp__s__echo', '{"n":2}')).error).toBeUndefined();
    await runtimeWith.close();
    const later = await runtime();
    await later.mcp.settled();
    // It is as it was at first, which is no longer what was accepted last.
    expect((await (await later.session({ mode: 'open' })).call('mcp__s__echo', '{}')).error).toBeDefined();
  }),
);

verifies('mcp/asks', 'roots are the session’s; questions are declined where nobody is, sampling is off', () =>
  withServers({ s: chaos('plain') }, async ({ call, project }) => {
    expect(JSON.parse((await call('mcp__s__echo', { do: 'roots' })).text).roots).toEqual([
      { uri: `file://${project}`, name: project },
    ]);
    expect(JSON.parse((await call('mcp__s__echo', { do: 'ask' })).text)).toEqual({ action: 'decline' });
    expect(JSON.parse((await call('mcp__s__echo', { do: 'sample' })).text)).toMatchObject({ code: -32_601 });
  }),
);

verifies('mcp/asks', 'a question reaches the person of the running call, and its answer the server', () =>
  withServers({ s: chaos('plain') }, async ({ runtimeWith: { registry } }) => {
    const tool = registry.get('mcp__s__echo');
    const ask: AskPower = async ({ kind, reason, questions }) => {
      expect([kind, reason]).toEqual(['elicitation', 'The MCP server s asks: Which?']);
      expect(questions).toMatchObject([{ id: 'n', type: 'number', default: 7, required: false }]);
      return { outcome: 'answered', answers: { n: '12' } };
    };
    const context = {
      session: { id: 'one' },
      roots: { list: [] },
      call: { id: 'c', name: 'echo' },
      signal: new AbortController().signal,
      progress: () => {},
      ask,
    };
    const answered = (await tool?.run({ do: 'ask' }, context as never)) as { content: string };
    expect(JSON.parse(answered.content)).toEqual({ action: 'accept', content: { n: 12 } });
    const other = tool?.run({ do: 'sleep', ms: 600, n: 1 }, { ...context, session: { id: 'two' } } as never);
    const between = (await tool?.run({ do: 'ask' }, context as never)) as { content: string };
    expect(JSON.parse(between.content)).toEqual({ action: 'decline' });
    await other;
  }),
);

verifies('mcp/asks', 'with sampling each reply of the model is put to the person first', () =>
  withServers(
    { s: chaos('plain', { sampling: true }) },
    async ({ runtimeWith: { registry } }) => {
      const tool = registry.get('mcp__s__echo');
      const asked: string[] = [];
      const contextFor = (allow: boolean) => ({
        session: { id: 'one' },
        roots: { list: [] },
        call: { id: 'c', name: 'echo' },
        signal: new AbortController().signal,
        progress: () => {},
        ask: (async ({ reason }) => {
          asked.push(reason);
          return { outcome: 'answered', answers: { allow } };
        }) as AskPower,
      });
      const reply = async (allow: boolean) => {
        const output = await tool?.run({ do: 'sample' }, contextFor(allow) as never);
        return JSON.parse((output as { content: string }).content);
      };
      expect(await reply(false)).toMatchObject({ message: expect.stringContaining('did not allow it') });
      expect(await reply(true)).toMatchObject({ content: { text: 'forty-two' }, model: 'test/scripted' });
      expect(asked).toEqual([expect.stringContaining('user: Six by seven?'), expect.stringContaining('Six by seven?')]);
      const alone = (await tool?.run({ do: 'sample' }, { ...contextFor(true), ask: undefined } as never)) as {
        content: string;
      };
      expect(alone.content).toContain('nobody is there');
    },
    { model: scripted('forty-two') },
  ),
);

verifies('mcp/cli', 'add, list, test, call, remove', () =>
  inWorld(async ({ home, project }) => {
    const { command, args } = chaos('plain');
    await withEnv({ TOOLWRIGHT_HOME: home }, async () => {
      await writeFile(join(home, 'toolwright.json'), '{"model":"manual"}');
      const at = ['--cwd', project];
      const added = await cli(['mcp', 'add', 's', '--env', 'K=hunter2', ...at, '--json', '--', command, ...args]);
      expect(added.json()).toEqual({ name: 's', path: join(home, 'toolwright.json') });
      expect(JSON.parse(await readFile(join(home, 'toolwright.json'), 'utf8'))).toEqual({
        model: 'manual',
        mcpServers: { s: { command, args, env: { K: 'hunter2' } } },
      });
      expect((await cli(['mcp', 'add', 's', 'x', ...at])).code).toBe(1);
      expect((await cli(['mcp', 'add', 'p', '--project', ...at, 'nope-not-there'])).code).toBe(0);
      const listed = (await cli(['mcp', 'list', '--trust-project', ...at, '--json'])).json<
        { name: string; state: string }[]
      >();
      expect(listed.map(({ name, state }) => [name, state])).toEqual([
        ['p', 'failed'],
        ['s', 'ready'],
      ]);
      expect(JSON.stringify(listed)).not.toContain('hunter2');
      const tested = await cli(['mcp', 'test', 's', ...at, '--json']);
      expect(tested.code).toBe(0);
      expect(tested.json()).toMatchObject({ ok: true, pingMs: expect.any(Number), connectMs: expect.any(Number) });
      const failed = await cli(['mcp', 'test', 'p', '--trust-project', ...at]);
      expect([failed.code, failed.out]).toEqual([1, expect.stringContaining('nope-not-there')]);
      expect((await cli(['mcp', 'test', 'zz', ...at])).err).toContain('not_found');
      const names = (await cli(['tools', 'list', '--json', ...at])).json<{ name: string }[]>().map(({ name }) => name);
      expect(names).toContain('mcp__s__echo');
      const called = await cli(['tools', 'call', 'mcp__s__echo', '{"a":1}', '--json', '--allow', 'mcp__s__*', ...at]);
      expect(called.json()).toMatchObject({ content: 'echo {"a":1}' });
      const run = await cli(['run', 'mcp__s__echo {"a":2}', '--json', '--allow', 'mcp__s__*', ...at]);
      expect(run.out).toContain('echo {\\"a\\":2}');
      expect((await cli(['mcp', 'remove', 's', ...at])).code).toBe(0);
      expect((await cli(['mcp', 'remove', 's', ...at])).code).toBe(1);
    });
  }),
);
