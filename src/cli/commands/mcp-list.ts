import { createMemoryStore, createRuntime, type ServerInfo } from '../../runtime/index.ts';
import { runtimeOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { createStyle, harmless } from '../render/style.ts';

/** All configured MCP servers, each tried once. */
export async function mcpList(io: Io, flags: RuntimeFlags): Promise<number> {
  const runtime = await createRuntime({ ...runtimeOptions(flags), store: createMemoryStore() });
  try {
    for (const warning of runtime.warnings) io.err(`toolwright: ${warning}\n`);
    await runtime.mcp.settled();
    const servers = runtime.mcp.list();
    if (flags.json === true) {
      await io.out(`${JSON.stringify(servers)}\n`);
      return 0;
    }
    await io.out(servers.map((server) => serverLine(server, io)).join('') || 'There are no MCP servers here.\n');
    return 0;
  } finally {
    await runtime.close();
  }
}

export function serverLine(server: ServerInfo, io: Io): string {
  const style = createStyle(io.hasColor);
  const state = server.state === 'ready' ? style.green('ready') : style.yellow(server.state);
  const about =
    server.state === 'ready' ? `${server.tools.length} tools, ${server.connectMs ?? 0} ms` : (server.reason ?? '');
  const left = server.quarantined
    .map(({ name, reason }) => `  left out: ${harmless(name)}: ${harmless(reason)}\n`)
    .join('');
  return `${style.bold(server.name)}  ${state}  ${server.transport ?? ''} ${server.target ?? ''}  ${harmless(about)}\n${left}`;
}
