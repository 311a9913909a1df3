import { createMemoryStore, createRuntime } from '../../runtime/index.ts';
import { runtimeOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { serverLine } from './mcp-list.ts';

/** Connects one server, lists its tools, waits for a sign of life, and tells how long each took; 1 when it is not well. */
export async function mcpTest(
  io: Io,
  flags: RuntimeFlags & { readonly login?: boolean },
  name: string,
): Promise<number> {
  const runtime = await createRuntime({ ...runtimeOptions(flags), store: createMemoryStore(), mcpServers: [name] });
  try {
    for (const warning of runtime.warnings) io.err(`toolwright: ${warning}\n`);
    await runtime.mcp.settled();
    if (runtime.mcp.find(name).state === 'unauthorized' && (io.isInteractive || flags.login === true)) {
      await runtime.mcp.logIn(name, (url) => io.err(`Open this address to log in to ${name}:\n  ${url.href}\n`));
    }
    const server = runtime.mcp.find(name);
    let pingMs: number | undefined;
    let fault = server.reason;
    if (server.state === 'ready') {
      try {
        pingMs = Math.round((await runtime.mcp.ping(name)) * 10) / 10;
      } catch (error) {
        fault = (error as Error).message;
      }
    }
    const isWell = pingMs !== undefined;
    if (flags.json === true) {
      await io.out(
        `${JSON.stringify({ ...server, ok: isWell, ...(pingMs === undefined ? { reason: fault } : { pingMs }) })}\n`,
      );
    } else {
      const ping = isWell
        ? `ping ${pingMs} ms\n${server.tools.map((tool) => `  ${tool}\n`).join('')}`
        : `${fault ?? ''}\n`;
      await io.out(`${serverLine(server, io)}${ping}`);
    }
    return isWell ? 0 : 1;
  } finally {
    await runtime.close();
  }
}
