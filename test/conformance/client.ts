import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRuntime } from '../../src/runtime/index.ts';
import { createToolContext } from '../../src/testing/index.ts';

/** The client of the conformance suite: connects to the address in the last argument, logs in where asked, calls every tool. */
const url = process.argv.at(-1) ?? '';
const given = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Record<string, string>;
const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
const runtime = await createRuntime({ cwd: folder, env: { TOOLWRIGHT_HOME: join(folder, 'home'), PATH: '' } });
const context = createToolContext({ root: folder });
const browse = (address: URL) => {
  void fetch(address).then((response) => response.text());
};
try {
  const oauth =
    given['client_id'] === undefined
      ? {}
      : {
          clientId: given['client_id'],
          ...(given['client_secret'] === undefined ? {} : { clientSecret: given['client_secret'] }),
        };
  let info = await runtime.mcp.add('c', { type: 'http', url, oauth });
  if (info.state === 'unauthorized') info = await runtime.mcp.logIn('c', browse);
  for (const name of info.tools) {
    const tool = runtime.registry.get(name);
    const input = name.endsWith('add_numbers') ? { a: 2, b: 3 } : {};
    await tool?.run(input, { ...context, ask: async () => ({ outcome: 'answered', answers: {} }) });
  }
  if (info.state !== 'ready') throw new Error(info.reason);
} finally {
  await runtime.close();
  await context.dispose();
  await rm(folder, { recursive: true, force: true });
}
