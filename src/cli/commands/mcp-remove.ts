import { resolve } from 'node:path';
import { changeSettingsFile, ToolwrightError } from '../../runtime/index.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';

/** Takes a server's entry out of the home's settings, or the project's. */
export async function mcpRemove(
  io: Io,
  flags: RuntimeFlags & { readonly project?: boolean },
  name: string,
): Promise<number> {
  const { path } = await changeSettingsFile(
    { cwd: resolve(flags.cwd ?? '.'), project: flags.project === true },
    (settings, file) => {
      const { [name]: entry, ...servers } = (settings['mcpServers'] ?? {}) as Record<string, unknown>;
      if (entry === undefined) {
        throw new ToolwrightError('not_found', `${file} names no server ${name}`, {
          hint: flags.project ? 'Without --project the home is looked at.' : 'With --project the folder is looked at.',
        });
      }
      return { ...settings, mcpServers: servers };
    },
  );
  await io.out(flags.json === true ? `${JSON.stringify({ name, path })}\n` : `${name} is no more in ${path}.\n`);
  return 0;
}
