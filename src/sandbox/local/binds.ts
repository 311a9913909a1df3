import { lstat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Root, ToolwrightError } from '../../core/index.ts';
import { hostRealPath } from '../passthrough/host-real-path.ts';
import { isWithin } from '../within.ts';
import type { Bind } from './bubblewrap-command.ts';
import type { Mount } from './local-options.ts';
import { PROTECTED, SECRET_FOLDERS } from './system-folders.ts';

export interface Layout {
  readonly binds: readonly Bind[];
  readonly hidden: readonly string[];
}

/** A folder of the session: its real path, and where it is seen inside. */
export interface Place extends Bind {
  readonly label: string;
}

/** The session's folders and mounts as they really are; one that does not exist is refused. */
export async function findPlaces(roots: readonly Root[], mounts: readonly Mount[]): Promise<Place[]> {
  const places: Place[] = [];
  for (const { path, access, label } of roots) {
    const { real } = await hostRealPath(path);
    places.push({ from: real, to: real, access, label });
    if (path !== real) places.push({ from: real, to: path, access, label });
  }
  for (const { path, at, access } of mounts) {
    const { real, exists } = await hostRealPath(path);
    if (!exists) throw refused(`the mount ${path} does not exist`, 'Make it, or take it out of sandbox.mounts.');
    places.push({ from: real, to: at ?? real, access, label: 'mount' });
  }
  const whole = places.find(({ from, to }) => from === '/' || to === '/' || to === '/proc' || to === '/dev');
  if (whole) throw refused(`${whole.to} cannot be a folder of it`, 'Start in a folder of your own.');
  return places.sort((a, b) => a.to.length - b.to.length);
}

/** Copies of skills are written by the house alone: commands only read them. */
const isCopy = (label: string) => label === 'skill';

/**
 * The folders, then what of the workspaces is read-only in spite of them. A protected file that a folder above
 * could be moved away with makes that folder a mount of its own, which cannot be moved.
 */
export async function layOut(places: readonly Place[], hidden: readonly string[]): Promise<Layout> {
  const binds: Bind[] = places.map(({ from, to, access, label }) => ({
    from,
    to,
    access: isCopy(label) ? 'read' : access,
  }));
  for (const place of places) {
    if (place.access !== 'write' || isCopy(place.label)) continue;
    const git = await kindOf(join(place.from, '.git'));
    if (git) binds.push(below(place, '.git', git === 'file' ? 'read' : 'write'));
    for (const name of PROTECTED) {
      if (name.startsWith('.git/') && git !== 'folder') continue;
      if (await kindOf(join(place.from, name))) binds.push(below(place, name, 'read'));
    }
  }
  const secrets = [...hidden, ...SECRET_FOLDERS.map((name) => join(homedir(), name))];
  const covered: string[] = [];
  for (const secret of secrets) {
    const { real, exists } = await hostRealPath(secret);
    if (!exists || (await kindOf(real)) !== 'folder') continue;
    for (const place of places) {
      if (place.from !== real && isWithin(place.from, real)) covered.push(place.to + real.slice(place.from.length));
    }
  }
  return { binds, hidden: covered };
}

const below = (place: Place, name: string, access: 'read' | 'write'): Bind => ({
  from: join(place.from, name),
  to: join(place.to, name),
  access,
});

/** Links are nobody's: what they lead to is not shown for their sake. */
async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  const stat = await lstat(path).catch(() => undefined);
  return stat?.isFile() ? 'file' : stat?.isDirectory() ? 'folder' : undefined;
}

const refused = (what: string, hint: string) =>
  new ToolwrightError('invalid_request', `The sandbox \`local\` cannot be made: ${what}.`, { hint });
