import { createRuntime, type Runtime, type View } from '../runtime/index.ts';
import { namesOf, runtimeOptions } from './flag-options.ts';
import type { ToolFlags } from './flags.ts';
import type { Io } from './io.ts';

/** Lends a command the tools that these flags leave; the runtime is closed afterwards. */
export async function withToolView(
  io: Io,
  flags: ToolFlags,
  use: (view: View, runtime: Runtime) => Promise<number>,
): Promise<number> {
  const runtime = await createRuntime(runtimeOptions(flags));
  try {
    for (const warning of runtime.warnings) io.err(`toolwright: ${warning}\n`);
    await runtime.mcp.settled();
    const view = runtime.registry.view({
      ...(flags.tools === undefined ? {} : { allow: namesOf(flags.tools) }),
      ...(flags.agentMode === undefined ? {} : { agentMode: flags.agentMode }),
    });
    if (view.unknown.length > 0) io.err(`toolwright: no tool is named ${view.unknown.join(', ')}\n`);
    return await use(view, runtime);
  } finally {
    await runtime.close();
  }
}
