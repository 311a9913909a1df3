import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { chaos, isAlive, until, withServers } from './mcp-world.ts';

const GOOD = { good: chaos('plain') };

verifies('MCP-01', 'noise, a megabyte of it, and an answer glued behind it', () =>
  withServers({ bad: chaos('noise') }, async ({ call, logged }) => {
    expect((await call('mcp__bad__echo', { a: 1 })).text).toBe('echo {"a":1}');
    expect((await call('mcp__bad__echo', { do: 'glued' })).text).toBe('glued');
    expect((await call('mcp__bad__echo', { do: 'wrong-id' })).text).toBe('mine');
    expect((await call('mcp__bad__echo', { do: 'twice' })).text).toBe('first');
    expect((await call('mcp__bad__echo', { a: 2 })).text).toBe('echo {"a":2}');
    const noise = logged.filter(({ message }) => message.includes('noise'));
    expect(noise.length).toBeGreaterThan(3);
  }),
);

verifies('MCP-03', 'three calls pending when it exits; the next is told at once, and it comes back', () =>
  withServers({ bad: chaos('plain', { parallel: true }), ...GOOD }, async ({ session, runtimeWith }) => {
    const opened = await session();
    const call = (name: string, input: object) => opened.call(name, JSON.stringify(input));
    const pending = ['never', 'never', 'exit'].map((what) => call('mcp__bad__echo', { do: what }));
    const results = await Promise.all(pending);
    for (const { error } of results) {
      expect(error?.code).toBe('uncertain');
      expect(error?.message).toMatch(/bad.*exit code 1.*boom/s);
    }
    const next = await call('mcp__bad__echo', {});
    if (next.error !== undefined) expect(next.error).toMatchObject({ code: 'unavailable', retryable: true });
    expect((await call('mcp__good__echo', {})).error).toBeUndefined();
    await until(() => runtimeWith.mcp.find('bad').state === 'ready', 'the server is back');
    expect((await call('mcp__bad__echo', { n: 1 })).content).toBe('echo {"n":1}');
  }),
);

verifies('MCP-03', 'two megabytes are written to a server that dies', () =>
  withServers({ bad: chaos('plain'), ...GOOD }, async ({ call }) => {
    const result = await call('mcp__bad__echo', { do: 'exit', big: 'b'.repeat(2_000_000) });
    expect(result.error?.code).toBe('uncertain');
    expect((await call('mcp__good__echo')).error).toBeUndefined();
  }),
);

verifies('MCP-04', 'one never starts, one slowly: the third is there first', () =>
  withServers(
    {
      never: chaos('never-starts', { timeouts: { connect: 4_000 } }),
      slow: chaos('slow-start'),
      fast: chaos('plain'),
    },
    async ({ runtimeWith: { mcp, registry } }) => {
      await until(() => mcp.find('fast').state === 'ready', 'the fast one');
      expect(mcp.find('never').state).toBe('connecting');
      await until(() => mcp.find('slow').state === 'ready', 'the slow one');
      expect(registry.get('mcp__slow__echo')).toBeDefined();
      await until(() => mcp.find('never').state === 'reconnecting', 'the silent one is given up');
      expect(mcp.find('never').reason).toMatch(/did not connect within 4000 ms/);
    },
    { wait: false },
  ),
);

verifies('MCP-04', 'a call without an answer: timed out, cancelled, the late answer dropped', () =>
  withServers({ bad: chaos('plain', { timeouts: { call: 200 } }) }, async ({ call }) => {
    const result = await call('mcp__bad__echo', { do: 'late', ms: 400 });
    expect(result.error).toMatchObject({ code: 'timeout' });
    expect(result.text).toMatch(/200 ms/);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await call('mcp__bad__echo', { n: 1 })).text).toBe('echo {"n":1}');
  }),
);

verifies('MCP-04', 'progress keeps a call alive, and a hard end stands above it', () =>
  withServers(
    { bad: chaos('plain', { timeouts: { idle: 250, call: 1_500, tools: { second: 300 } } }) },
    async ({ call }) => {
      expect((await call('mcp__bad__echo', { do: 'beats', beats: 6 })).text).toBe('after beats');
      expect((await call('mcp__bad__echo', { do: 'never' })).text).toMatch(/told nothing for 250 ms/);
      expect((await call('mcp__bad__second', { do: 'beats', beats: 50 })).text).toMatch(/longer than 300 ms/);
    },
  ),
);

verifies('MCP-05', 'a megabyte on stderr before the start, and more with each call', () =>
  withServers({ bad: chaos('stderr') }, async ({ call }) => {
    expect((await call('mcp__bad__echo', { do: 'stderr' })).text).toBe('ok');
    const end = await call('mcp__bad__echo', { do: 'exit' });
    expect(end.text).toMatch(/exit code 1/);
    expect(end.text.length).toBeLessThan(4_000);
  }),
);

verifies('MCP-07', 'close ends what ignores stdin and TERM, and the grandchild', () =>
  withServers({ deaf: chaos('deaf-to-term') }, async ({ runtimeWith, project }) => {
    const file = join(project, 'pids');
    await runtimeWith.mcp.add('family', chaos('grandchild', {}, file));
    const pids = ((await readFile(file, 'utf8')).match(/^\d+ \d+/)?.[0] ?? '').split(' ').map(Number);
    expect(pids.every(isAlive)).toBe(true);
    const began = Date.now();
    await runtimeWith.close();
    expect(Date.now() - began).toBeLessThan(8_000);
    expect(pids.some(isAlive)).toBe(false);
  }),
);

verifies('MCP-08', 'pages, a cursor that comes again, one that is empty, a list without end, double names', () =>
  withServers(
    {
      pages: chaos('pages'),
      same: chaos('same-cursor'),
      empty: chaos('empty-cursor'),
      endless: chaos('endless'),
      double: chaos('duplicates'),
    },
    async ({ runtimeWith: { mcp, registry }, logged }) => {
      expect(mcp.find('pages').tools).toHaveLength(6);
      expect(mcp.find('same').tools).toHaveLength(2);
      expect(mcp.find('empty').tools).toEqual(['mcp__empty__one', 'mcp__empty__two']);
      expect(mcp.find('endless').tools).toHaveLength(200);
      expect(mcp.find('double').tools).toEqual(['mcp__double__echo']);
      expect(registry.get('mcp__double__echo')?.description).toBe('first');
      const warned = logged.filter(({ level }) => level === 'warn').map(({ message }) => message);
      for (const server of ['same', 'empty', 'endless', 'double']) {
        expect(warned.some((message) => message.includes(`server ${server}`))).toBe(true);
      }
    },
  ),
);

verifies('MCP-09', 'progress of all kinds', () =>
  withServers({ bad: chaos('plain') }, async ({ session }) => {
    const told: string[] = [];
    const opened = await session();
    const result = await opened.call('mcp__bad__echo', '{"do":"progress"}', {
      onEvent: (event) => {
        if (event.type === 'tool_progress') told.push(event.closed ? `closed ${event.text}` : event.text);
      },
    });
    expect(result.content).toBe('done');
    expect(told.join('')).toContain('1/2 half');
    expect(told.join('').length).toBeLessThan(5_000);
    expect(told.join('')).not.toContain('too late');
    expect(told.at(-1)).toBe('closed ');
    expect((await opened.call('mcp__bad__echo', '{}')).error).toBeUndefined();
  }),
);

verifies('MCP-13', 'every kind of content', () =>
  withServers({ s: chaos('plain') }, async ({ call }) => {
    const shown = async (what: string) => call('mcp__s__echo', { do: what });
    for (const what of ['structured', 'structured-only']) {
      const result = await shown(what);
      expect(JSON.parse(result.text)).toEqual({ a: 1 });
      expect(result.data).toMatchObject({ structuredContent: { a: 1 } });
    }
    expect((await shown('mirrored')).text).toBe('{"a": 1}');
    expect((await shown('more')).text).toMatch(/^ok\n\{/);
    expect((await shown('image')).content).toEqual([{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }]);
    expect((await shown('audio')).text).toMatch(/audio audio\/wav, 4 bytes, saved as base64 in outputs\//);
    expect((await shown('link')).text).toContain('file:///a');
    expect((await shown('resource')).text).toContain('inside');
    expect((await shown('blob')).text).toMatch(/3 bytes, saved/);
    expect((await shown('unknown')).text).toContain('unknown type "x"');
    expect((await shown('nothing')).text).not.toBe('');
    expect((await shown('meta')).data).toMatchObject({ _meta: { k: 'v' } });
    for (const what of ['no-text', 'text-content']) {
      expect((await shown(what)).error).toMatchObject({ code: 'failed', message: expect.stringMatching(/malformed/) });
    }
    expect((await shown('huge')).stored?.bytes).toBe(5_000_000);
  }),
);

verifies('MCP-13', 'structured content is held to its schema, but not that of an error', () =>
  withServers({ s: chaos('typed') }, async ({ call }) => {
    expect((await call('mcp__s__echo', { do: 'structured' })).error).toBeUndefined();
    const without = await call('mcp__s__echo', { do: 'sleep', n: 1, ms: 1 });
    expect(without.error?.message).toMatch(/broke its output schema/);
    expect(without.text).toContain('slept 1');
    expect((await call('mcp__s__echo', { do: 'is-error' })).text).toBe('bad');
  }),
);

verifies('MCP-15', 'errors of the tool and of the protocol', () =>
  withServers({ s: chaos('plain') }, async ({ call }) => {
    for (const what of ['is-error', 'is-error-word']) {
      expect(await call('mcp__s__echo', { do: what })).toMatchObject({ text: 'bad', error: { code: 'failed' } });
    }
    expect((await call('mcp__s__echo', { do: 'error-params' })).text).toMatch(/-32602.*wrong params/);
    expect((await call('mcp__s__echo', { do: 'error-method' })).text).toMatch(/-32601/);
    expect((await call('mcp__s__echo', { do: 'error-silent' })).text).toMatch(/-32000/);
    expect((await call('mcp__s__echo', { do: 'null' })).error).toMatchObject({ code: 'failed' });
    expect((await call('mcp__s__echo', { do: 'both' })).text).toMatch(/-32602.*no/);
    expect((await call('mcp__s__echo', { n: 1 })).error).toBeUndefined();
  }),
);

verifies('MCP-16', 'a tool leaves, another comes; a storm is read few times', () =>
  withServers({ s: chaos('plain'), quiet: chaos('quiet-caps') }, async ({ call, runtimeWith: { registry } }) => {
    await call('mcp__s__echo', { do: 'drop-tool' });
    await until(() => registry.get('mcp__s__third') !== undefined, 'the new tool');
    expect((await call('mcp__s__echo', {})).error?.code).toMatch(/unavailable|unknown_tool/);
    await call('mcp__quiet__echo', { do: 'storm' });
    await until(() => registry.get('mcp__quiet__stormy') !== undefined, 'the stormy tool');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(Number((await call('mcp__quiet__echo', { do: 'lists' })).text)).toBeLessThanOrEqual(4);
  }),
);

verifies('MCP-16', 'a list that fails once keeps the old tools and is read again', () =>
  withServers({ s: chaos('list-fails-once') }, async ({ call, runtimeWith: { registry } }) => {
    await call('mcp__s__echo', { do: 'drop-tool' });
    await until(() => registry.get('mcp__s__third') !== undefined, 'the new tool, at the second reading');
    expect(registry.get('mcp__s__echo')).toBeUndefined();
  }),
);

verifies('REG-03', 'usable schemas are offered, the hopeless one is left out with its pointer', () =>
  withServers({ s: chaos('bad-schemas') }, async ({ call, runtimeWith: { mcp, registry } }) => {
    const { tools, quarantined } = mcp.find('s');
    expect(tools).toHaveLength(8);
    expect(quarantined.map(({ name, pointer }) => [name, pointer])).toEqual([
      ['typo', '/properties/a/type'],
      ['', undefined],
    ]);
    expect(registry.definitions().filter(({ name }) => name.startsWith('mcp__s__'))).toHaveLength(8);
    expect((await call('mcp__s__good', { x: 1 })).text).toBe('good {"x":1}');
    const dotted = tools.find((name) => name.startsWith('mcp__s__a_b_c')) as string;
    expect((await call(dotted, {})).text).toBe('a.b/c {}');
    expect((await call('mcp__s__draft4', { n: 0 })).error?.code).toBe('invalid_input');
  }),
);

verifies('mcp/chaos', 'ends at its start, at the probe, in half an answer; lists never; is silent at the probe', () =>
  withServers(
    {
      start: chaos('dies-at-start'),
      probe: chaos('dies-at-probe'),
      silent: chaos('silent-at-probe', { timeouts: { connect: 2_000 } }),
      list: chaos('list-never', { timeouts: { list: 500 } }),
      half: chaos('plain'),
      ...GOOD,
    },
    async ({ call, runtimeWith: { mcp } }) => {
      expect(mcp.find('start').reason).toMatch(/exit code 3.*no license found/s);
      expect(mcp.find('probe').state).toBe('ready');
      expect(mcp.find('silent').state).toBe('ready');
      expect(mcp.find('list').reason).toMatch(/did not list its tools within 500 ms/);
      expect((await call('mcp__half__echo', { do: 'half' })).error?.code).toBe('uncertain');
      expect((await call('mcp__good__echo')).error).toBeUndefined();
    },
  ),
);

verifies('mcp/chaos', 'a cancelled run ends a call that never answers, and the server is told', async () => {
  await withServers({}, async ({ session, runtimeWith, project }) => {
    const file = join(project, 'seen');
    await runtimeWith.mcp.add('s', chaos('plain', {}, file));
    const opened = await session();
    const call = opened.call('mcp__s__echo', '{"do":"never"}');
    await until(() => readNow(file).includes('call echo'), 'the call');
    const began = Date.now();
    opened.cancel();
    expect((await call).error?.code).toBe('cancelled');
    expect(Date.now() - began).toBeLessThan(2_000);
    await until(() => readNow(file).includes('cancelled'), 'the server is told');
    expect((await opened.call('mcp__s__echo', '{}')).error).toBeUndefined();
  });
});

verifies('mcp/load', 'thirty-two calls at once', () =>
  withServers({ s: chaos('plain', { parallel: true }) }, async ({ session }) => {
    const opened = await session();
    const began = Date.now();
    const calls = Array.from({ length: 32 }, (_, n) =>
      opened.call('mcp__s__echo', JSON.stringify({ do: 'sleep', n, ms: 400 })),
    );
    const texts = (await Promise.all(calls)).map(({ content }) => content);
    expect(texts).toEqual(Array.from({ length: 32 }, (_, n) => `slept ${n}`));
    expect(Date.now() - began).toBeLessThan(32 * 400 * 0.6);
  }),
);

function readNow(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
