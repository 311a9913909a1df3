import { createRuntime, ToolwrightError } from '../../runtime/index.ts';
import { runtimeOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { harmless } from '../render/style.ts';

/** Reaches one server, has it answer once more, and lists its tools with the names that they have here. */
export async function mcpTest(io: Io, flags: RuntimeFlags, name: string): Promise<number> {
  const runtime = await createRuntime(runtimeOptions(flags));
  try {
    const began = performance.now();
    await runtime.mcp.tried(name);
    const connectMs = Math.round(performance.now() - began);
    const server = (await runtime.mcp.list()).find((entry) => entry.name === name);
    if (server === undefined) throw notThere(name, await runtime.mcp.problems());
    const healthy = server.status === 'ready' && (await runtime.mcp.probe(name));
    const faults = runtime.registry.faults().filter((fault) => fault.name in server.toolNames);
    if (flags.json === true) {
      await io.out(`${JSON.stringify({ ...server, healthy, connectMs, faults })}\n`);
      return healthy ? 0 : 1;
    }
    if (!healthy) {
      throw new ToolwrightError('unavailable', server.reason ?? `the MCP server ${name} does not answer`, {
        hint: `Look at its entry in ${server.source}.`,
      });
    }
    const lines = Object.entries(server.toolNames).map(
      ([exposed, own]) => `  ${exposed}${exposed.endsWith(`__${own}`) ? '' : ` (${own})`}\n`,
    );
    await io.out(
      harmless(
        `${name}: ready in ${connectMs} ms, protocol ${server.protocol}, ${server.tools} tools\n${lines.join('')}`,
      ),
    );
    for (const fault of faults) io.err(`toolwright: ${fault.name} cannot be offered: ${fault.message}\n`);
    for (const warning of server.warnings) io.err(`toolwright: ${warning}\n`);
    return 0;
  } finally {
    await runtime.close();
  }
}

function notThere(name: string, problems: readonly string[]): ToolwrightError {
  const own = problems.filter((problem) => problem.includes(name));
  return new ToolwrightError('not_found', own[0] ?? `no MCP server is named ${name}`, {
    hint: 'toolwright mcp list shows those that there are.',
  });
}
