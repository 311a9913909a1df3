import { join, relative } from 'node:path';
import type { HostFiles } from '../passthrough/host-files.ts';
import { isWithin } from '../within.ts';

/** A folder that is seen inside at another path than its own; both real and absolute. */
export interface Placed {
  readonly host: string;
  readonly inside: string;
}

export interface PathMap {
  toHost(path: string): string;
  toInside(path: string): string;
}

/** Paths are mapped as arguments; the text of commands is never touched. The innermost folder counts. */
export function createPathMap(placed: readonly Placed[]): PathMap {
  const map = (from: keyof Placed, to: keyof Placed) => {
    const sorted = [...placed].sort((a, b) => b[from].length - a[from].length);
    return (path: string) => {
      const found = sorted.find((each) => isWithin(each[from], path));
      return found ? join(found[to], relative(found[from], path)) : path;
    };
  };
  return { toHost: map('inside', 'host'), toInside: map('host', 'inside') };
}

/** The host's files under the names that they have inside; each is judged under its host name. */
export function mapFiles(files: HostFiles, { toHost, toInside }: PathMap): HostFiles {
  return {
    read: (path, range) => files.read(toHost(path), range),
    write: (path, bytes, options) => files.write(toHost(path), bytes, options),
    stat: (path) => files.stat(toHost(path)),
    list: (path) => files.list(toHost(path)),
    remove: (path) => files.remove(toHost(path)),
    async realPath(path) {
      const { real, exists } = await files.realPath(toHost(path));
      return { real: toInside(real), exists };
    },
  };
}
