import type { Runtime } from '../runtime/index.ts';

/** A prompt waits this long for MCP servers; those that come up later join at the next request. */
const PATIENCE_MS = 5_000;

/** Resolves when every server had its first outcome, or when the prompt has waited long enough. */
export async function serversUp(runtime: Pick<Runtime, 'mcp'>): Promise<void> {
  if (runtime.mcp.pending().length === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([runtime.mcp.settled(), enough]);
  clearTimeout(timer);
}
