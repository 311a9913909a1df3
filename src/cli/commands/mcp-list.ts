import { createRuntime } from '../../runtime/index.ts';
import { runtimeOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { createStyle, harmless } from '../render/style.ts';
import { tellWarnings } from '../tell-warnings.ts';

/** The configured servers, each reached as far as it can be within its connect timeout. */
export async function mcpList(io: Io, flags: RuntimeFlags): Promise<number> {
  const runtime = await createRuntime(runtimeOptions(flags));
  try {
    if (flags.json !== true) await tellWarnings(io, runtime);
    await runtime.mcp.tried();
    const servers = await runtime.mcp.list();
    if (flags.json === true) {
      await io.out(`${JSON.stringify({ servers, problems: await runtime.mcp.problems() })}\n`);
      return 0;
    }
    const style = createStyle(io.hasColor);
    const width = Math.max(0, ...servers.map(({ name }) => name.length));
    const lines = servers.map(({ name, status, kind, tools, reason, trusted }) => {
      const mark = status === 'ready' ? style.green('ready') : style.red(status);
      const about =
        status === 'ready' ? `${tools} tools${trusted ? ', trusted' : ''}` : (reason ?? '').split('\n', 1)[0];
      return `${style.bold(name.padEnd(width))}  ${mark}  ${kind}  ${harmless(about ?? '')}\n`;
    });
    await io.out(lines.join('') || 'No MCP server is configured here.\n');
    return 0;
  } finally {
    await runtime.close();
  }
}
