import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, isObject, messageOf, ToolwrightError } from '../core/index.ts';
import { makeFolder } from '../store/index.ts';

/** How often a settings file that another process is changing is tried, and how long apart. */
const TRIES = 40;
const PAUSE_MS = 50;

/**
 * Adds a rule to `permissions.allow` of the folder's `toolwright.json`, which is replaced whole or not at all;
 * gives its path. Everything else in the file stays. A file that is not JSON of the right shape is left alone.
 */
export async function keepRule(folder: string, rule: string, clock: Clock): Promise<string> {
  await makeFolder(folder);
  const named = join(folder, 'toolwright.json');
  const path = await realpath(named).catch(() => named);
  const release = await lock(`${path}.lock`, clock);
  try {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}';
      throw error;
    });
    const config = read(path, text);
    const permissions = section(config['permissions'], path, 'permissions', isObject) ?? {};
    const allow = section(permissions['allow'], path, 'permissions.allow', Array.isArray) ?? [];
    if (allow.includes(rule)) return path;
    const next = { ...config, permissions: { ...permissions, allow: [...allow, rule] } };
    const mode = (await stat(path).catch(() => undefined))?.mode ?? 0o600;
    const temp = `${path}.${randomUUID()}`;
    try {
      await writeFile(temp, `${JSON.stringify(next, null, 2)}\n`, { mode: mode & 0o777, flag: 'wx' });
      await rename(temp, path);
    } finally {
      await rm(temp, { force: true });
    }
    return path;
  } finally {
    await release();
  }
}

/** The file beside it is made by one at a time; one that a killed process left stays 2 seconds in the way, then is an error. */
async function lock(path: string, clock: Clock): Promise<() => Promise<void>> {
  for (let tries = 1; ; tries++) {
    try {
      await (await open(path, 'wx', 0o600)).close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (tries === TRIES) {
        throw new ToolwrightError('busy', `${path} says that another process is changing the settings`, {
          hint: `If none is, remove ${path}.`,
        });
      }
    }
    await new Promise<void>((resolve) => void clock.after(PAUSE_MS, resolve));
  }
}

function read(path: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (isObject(value)) return value;
    throw new Error('it is no object');
  } catch (error) {
    throw unusable(path, messageOf(error));
  }
}

function section<Kind>(value: unknown, path: string, name: string, is: (value: unknown) => value is Kind) {
  if (value === undefined || is(value)) return value;
  throw unusable(path, `${name} has another shape`);
}

const unusable = (path: string, why: string) =>
  new ToolwrightError('invalid_request', `the rule was not kept: ${path} cannot be added to (${why})`, {
    hint: `Mend ${path}, then add the rule to permissions.allow.`,
  });
