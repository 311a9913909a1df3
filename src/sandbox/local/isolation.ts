import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ToolwrightError } from '../../core/index.ts';
import { bubblewrapCommand } from './bubblewrap-command.ts';

export interface Isolation {
  readonly mechanism: 'bubblewrap' | 'seatbelt';
  /** Where its program is. */
  readonly program: string;
}

const PROBE_MS = 10_000;
const SEATBELT = '/usr/bin/sandbox-exec';
const run = promisify(execFile);

/**
 * What can isolate commands with that environment on this machine, found by trying it. Throws ToolwrightError `unavailable` that names
 * the package or the setting of the system that is missing.
 */
export async function findIsolation(
  { PATH: path = '' }: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Promise<Isolation> {
  if (platform === 'linux') return findBubblewrap(path);
  if (platform === 'darwin') return findSeatbelt();
  throw missing(`there is none for ${platform}`, 'Use the sandbox `remote`, with a server on Linux or macOS.');
}

async function findBubblewrap(path: string): Promise<Isolation> {
  const program = await findProgram('bwrap', path);
  if (program === undefined) {
    throw missing(
      'bubblewrap is not installed (there is no bwrap in PATH)',
      'Install the package bubblewrap, such as by: apt-get install bubblewrap.',
    );
  }
  if ((await findProgram('prlimit', path)) === undefined) {
    throw missing('prlimit is not installed', 'Install the package util-linux.');
  }
  const [file = '', ...args] = bubblewrapCommand(['true'], {
    program,
    cwd: '/',
    binds: [],
    hidden: [],
    network: 'off',
    limits: {},
    uid: process.getuid?.() ?? 0,
    gid: process.getgid?.() ?? 0,
  });
  try {
    await run(file, args, { timeout: PROBE_MS, env: { PATH: path } });
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1) ?? String(error);
    throw missing(`bubblewrap cannot make a sandbox here: ${said}`, hintFor(said), error);
  }
  return { mechanism: 'bubblewrap', program };
}

function hintFor(said: string): string {
  if (/Unknown option|unrecognized option/.test(said)) {
    return 'Update the packages bubblewrap (0.8 or newer) and coreutils (8.31 or newer).';
  }
  return 'User namespaces must be allowed: set kernel.unprivileged_userns_clone=1 and user.max_user_namespaces above 0, allow bwrap in AppArmor, and in a container permit the system calls unshare and mount.';
}

async function findSeatbelt(): Promise<Isolation> {
  try {
    await run(SEATBELT, ['-p', '(version 1)(allow default)', '/usr/bin/true'], { timeout: PROBE_MS });
  } catch (error) {
    throw missing(`${SEATBELT} does not work here`, 'It is a part of macOS; a sandboxed parent may forbid it.', error);
  }
  return { mechanism: 'seatbelt', program: SEATBELT };
}

/** The program's place in PATH. */
async function findProgram(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(':')) {
    if (!folder.startsWith('/')) continue;
    const file = join(folder, name);
    const found = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return file;
  }
  return undefined;
}

function missing(what: string, hint: string, cause?: unknown): ToolwrightError {
  return new ToolwrightError('unavailable', `The sandbox \`local\` cannot be used: ${what}.`, { hint, cause });
}
