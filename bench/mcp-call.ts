import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createRuntime } from 'toolwright';
import { createToolContext } from 'toolwright/testing';
import { type Bench, timed } from './harness.ts';

const SERVER = fileURLToPath(new URL('../test/fixtures/mcp/chaos-server.mjs', import.meta.url));
const CALLS = 500;

/** One call after the other over stdio: the SDK's client alone, ours through the executor, ours from the tool on. */
export const mcpCall: Bench = {
  name: 'mcp-call',
  title: `${CALLS} calls of a server over stdio, one after the other`,
  unit: 'ms/call',
  goal: { ratio: 1.15 },
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'bench-mcp-'));
    const entry = { command: process.execPath, args: [SERVER, 'plain'] };
    const client = new Client({ name: 'bench', version: '1' });
    await client.connect(new StdioClientTransport(entry));
    await client.listTools();
    const env = { TOOLWRIGHT_HOME: join(folder, 'home'), PATH: process.env['PATH'] ?? '' };
    const runtime = await createRuntime({ cwd: folder, env });
    await runtime.mcp.add('s', entry);
    const session = await runtime.session({ mode: 'open' });
    const context = createToolContext({ root: folder });
    const tool = runtime.registry.get('mcp__s__echo');
    if (tool === undefined) throw new Error('the server has no tool');
    const check = (text: unknown, n: number) => {
      if (text !== `echo {"n":${n}}`) throw new Error(`call ${n} gave ${JSON.stringify(text)}`);
    };
    const each = (call: (n: number) => Promise<unknown>) => () =>
      timed(CALLS, async () => {
        for (let n = 0; n < CALLS; n++) check(await call(n), n);
      });
    const bare = async (n: number) => {
      const onprogress = () => {};
      const { content } = await client.callTool({ name: 'echo', arguments: { n } }, { onprogress });
      return content[0]?.type === 'text' ? content[0].text : undefined;
    };
    const whole = async (n: number) => (await session.call('mcp__s__echo', `{"n":${n}}`)).content;
    const direct = async (n: number) => ((await tool.run({ n }, context)) as { content: string }).content;
    return {
      contenders: [
        { name: "floor: the SDK's client", run: each(bare) },
        { name: 'toolwright: session.call, kept in SQLite', run: each(whole) },
        { name: 'toolwright: the tool', run: each(direct) },
      ],
      async close() {
        await client.close();
        await runtime.close();
        await context.dispose();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};
