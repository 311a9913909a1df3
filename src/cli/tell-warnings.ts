import type { Runtime } from '../runtime/index.ts';
import type { Io } from './io.ts';

/** What was found odd and passed over, on stderr. MCP servers are started by it when there are any. */
export async function tellWarnings(io: Io, runtime: Runtime): Promise<void> {
  for (const warning of [...runtime.warnings, ...(await runtime.mcp.problems())]) io.err(`toolwright: ${warning}\n`);
}
