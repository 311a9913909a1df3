import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ToolResult } from '../../src/core/index.ts';
import { textOf } from '../../src/core/index.ts';
import type { Runtime, RuntimeOptions, Session, SessionOptions } from '../../src/runtime/index.ts';
import { inWorld, type World } from './runtime-world.ts';

const SERVER = fileURLToPath(new URL('../fixtures/mcp/chaos-server.mjs', import.meta.url));
export const PACKAGES = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/', import.meta.url));

/** An entry that starts the chaos server in one of its modes. */
export const chaos = (mode: string, more: Record<string, unknown> = {}, ...args: string[]) => ({
  command: process.execPath,
  args: [SERVER, mode, ...args],
  ...more,
});

export interface McpWorld extends World {
  readonly runtimeWith: Runtime;
  readonly logged: readonly { readonly level: string; readonly message: string }[];
  session(options?: SessionOptions): Promise<Session>;
  /** Calls a tool by its exposed name in a session that allows all. */
  call(name: string, input?: object): Promise<ToolResult & { readonly text: string }>;
}

/** A runtime whose home names these servers, after their first outcomes unless `wait` is false. */
export async function withServers(
  servers: Record<string, unknown>,
  body: (world: McpWorld) => Promise<void>,
  options: RuntimeOptions & { readonly wait?: boolean; readonly variables?: Record<string, string> } = {},
): Promise<void> {
  await inWorld(async (world) => {
    await writeFile(join(world.home, 'toolwright.json'), JSON.stringify({ mcpServers: servers }, null, 2));
    const logged: { level: string; message: string }[] = [];
    const { wait = true, variables = {}, ...rest } = options;
    const env = { ...world.env, ...variables };
    const runtime = await world.runtime({
      env,
      log: (level, message) => void logged.push({ level, message }),
      ...rest,
    });
    if (wait) await runtime.mcp.settled();
    let session: Session | undefined;
    await body({
      ...world,
      runtimeWith: runtime,
      logged,
      session: (more) => runtime.session({ mode: 'open', ...more }),
      async call(name, input = {}) {
        session ??= await runtime.session({ mode: 'open' });
        const result = await session.call(name, JSON.stringify(input));
        return { ...result, text: textOf(result.content) };
      },
    });
  });
}

/** Resolves when `holds` does; looks often, and gives up after a while. */
export async function until(holds: () => boolean, what: string, ms = 15_000): Promise<void> {
  for (const end = Date.now() + ms; !holds(); ) {
    if (Date.now() > end) throw new Error(`did not come: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/\) [ZX] /.test(stat);
  } catch {
    return existsSync(`/proc/${pid}`);
  }
}
