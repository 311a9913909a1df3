import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isObject, ToolwrightError } from '../../core/index.ts';
import { parseObject, readText } from './read-servers.ts';
import type { ServerEntry } from './server-config.ts';

/** Puts a server into a settings file, atomically; everything else in the file stays. */
export async function writeServer(path: string, name: string, entry: ServerEntry, replace = false): Promise<void> {
  await edit(path, (servers) => {
    if (Object.hasOwn(servers, name) && !replace) {
      throw new ToolwrightError('conflict', `${path} has a server ${name} already`, {
        hint: 'Remove it first, or choose another name.',
      });
    }
    return { ...servers, [name]: entry };
  });
}

/** Takes a server out of a settings file; false when it is not in it. */
export async function removeServer(path: string, name: string): Promise<boolean> {
  let found = false;
  if ((await readText(path)) === undefined) return false;
  await edit(path, (servers) => {
    found = Object.hasOwn(servers, name);
    if (!found) return undefined;
    const { [name]: _gone, ...rest } = servers;
    return rest;
  });
  return found;
}

async function edit(
  path: string,
  change: (servers: Record<string, unknown>) => Record<string, unknown> | undefined,
): Promise<void> {
  const text = await readText(path);
  const whole = text === undefined ? {} : parseObject(path, text);
  const servers = whole['mcpServers'] ?? {};
  if (!isObject(servers)) {
    throw new ToolwrightError('invalid_request', `${path}: mcpServers is no object`, { hint: 'Mend the file first.' });
  }
  const next = change(servers);
  if (next === undefined) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Keys and tokens may stand in it: a new file is for its owner only.
  const mode = text === undefined ? 0o600 : (await stat(path)).mode & 0o777;
  const temp = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temp, `${JSON.stringify({ ...whole, mcpServers: next }, null, 2)}\n`, { mode });
    await rename(temp, path);
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
}
