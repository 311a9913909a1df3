import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, messageOf, ToolwrightError } from '../core/index.ts';
import { makeFolder } from '../store/index.ts';
import { type Env, envSettings, hostEnv } from './env.ts';

export interface SettingsPlace {
  readonly cwd: string;
  /** The folder's own `toolwright.json` instead of the home's. */
  readonly project: boolean;
  readonly env?: Env;
}

type JsonSettings = Readonly<Record<string, unknown>>;

/** Changes a `toolwright.json`, whole or not at all; keys that the change leaves alone keep their values and places. */
export async function changeSettingsFile(
  { cwd, project, env }: SettingsPlace,
  change: (settings: JsonSettings, path: string) => JsonSettings,
): Promise<{ readonly path: string }> {
  const folder = project ? cwd : envSettings(env ?? (await hostEnv(cwd)).env).home;
  const path = join(folder, 'toolwright.json');
  const before = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  let settings: unknown;
  try {
    settings = JSON.parse(before.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ToolwrightError('invalid_request', `${path} is not valid JSON: ${messageOf(error)}`, {
      hint: 'Mend the file first.',
      cause: error,
    });
  }
  if (!isObject(settings))
    throw new ToolwrightError('invalid_request', `${path} holds no object`, { hint: 'Mend the file first.' });
  const next = `${JSON.stringify(change(settings, path), null, 2)}\n`;
  const mode = await stat(path).then(
    (found) => found.mode & 0o777,
    () => (project ? 0o644 : 0o600),
  );
  makeFolder(folder);
  const temp = `${path}.${randomBytes(4).toString('hex')}`;
  await writeFile(temp, next, { mode });
  await chmod(temp, mode);
  await rename(temp, path);
  return { path };
}
