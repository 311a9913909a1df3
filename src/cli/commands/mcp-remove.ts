import { ToolwrightError } from '../../core/index.ts';
import { mcpConfigPath, removeServer } from '../../runtime/index.ts';
import { runtimeOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';

/** Takes a server out of the settings of the home, or with --project of the folder. */
export async function mcpRemove(
  io: Io,
  flags: RuntimeFlags & { readonly project?: boolean },
  name: string,
): Promise<number> {
  const path = await mcpConfigPath(runtimeOptions(flags), flags.project === true);
  if (!(await removeServer(path, name))) {
    throw new ToolwrightError('not_found', `${path} has no MCP server ${name}`, {
      hint:
        flags.project === true ? 'Without --project the home is looked at.' : 'With --project the folder is looked at.',
    });
  }
  await io.out(
    flags.json === true ? `${JSON.stringify({ name, path, removed: true })}\n` : `${name} was removed from ${path}\n`,
  );
  return 0;
}
