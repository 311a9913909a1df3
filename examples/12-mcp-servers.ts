// MCP servers that live in this process: the bundled web search and task scheduler, and how their tools are used.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRuntime } from 'toolwright';
import { systemClock } from 'toolwright/core';
import { taskSchedulerServer, webSearchServer } from 'toolwright/mcp';

/** Stands for a SearXNG instance of your own. */
const searxng = createServer((_, response) => {
  const results = [{ title: 'Andromeda', url: 'https://m31.example/', content: 'A galaxy.' }];
  response.end(JSON.stringify({ results }));
}).listen(0, '127.0.0.1');
await once(searxng, 'listening');
const baseUrl = `http://127.0.0.1:${(searxng.address() as AddressInfo).port}`;
const folder = await mkdtemp(join(tmpdir(), 'toolwright-mcp-'));

const runtime = await createRuntime({ cwd: folder, env: { TOOLWRIGHT_HOME: join(folder, 'home') } });
let woken: (text: string) => void = () => {};
const answer = new Promise<string>((resolve) => {
  woken = resolve;
});
try {
  await runtime.mcp.add('search', webSearchServer({ engine: 'searxng', baseUrl, fetch }));
  const scheduler = taskSchedulerServer({
    folder: join(folder, 'schedule'),
    clock: systemClock,
    log: () => {},
    // A task that is due goes on with its session, or begins one.
    async wake({ prompt, sessionId }) {
      const session = await runtime.session(sessionId === undefined ? {} : { id: sessionId });
      const { text } = await session.run(prompt).result;
      await session.close();
      woken(text);
    },
  });
  await runtime.mcp.add('tasks', scheduler);

  const session = await runtime.session({ allow: ['mcp__tasks__*'] });
  const found = await session.call('mcp__search__search_web', { query: 'm31' });
  console.log(found.content);
  assert.match(String(found.content), /1\. Andromeda\n {3}https:\/\/m31\.example/);

  const prompt = 'mcp__search__search_web {"query": "m31 again"}';
  const scheduled = await session.call('mcp__tasks__schedule_task', { prompt, in_seconds: 1 });
  assert.equal(scheduled.error, undefined);
  assert.match(await answer, /Andromeda/);
  console.log('the task woke a session');
} finally {
  await runtime.close();
  searxng.close();
  await rm(folder, { recursive: true, force: true });
}
