import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isObject, type Log, messageOf } from '../core/index.ts';

/** Fingerprints of pinned tools as a person last accepted them. */
export interface Pins {
  /** Remembers a tool that was never seen before; a known one keeps what was accepted. */
  see(server: string, tool: string, fingerprint: string): void;
  isChanged(server: string, tool: string, fingerprint: string): boolean;
  accept(server: string, tool: string, fingerprint: string): void;
  /** What is still being written. */
  saved(): Promise<void>;
}

const keyOf = (server: string, tool: string) => JSON.stringify([server, tool]);

/** Kept in a file of the home, mode 0600. One that cannot be read remembers nothing. */
export async function readPins(path: string, log: Log): Promise<Pins> {
  const text = await readFile(path, 'utf8').catch(() => '{}');
  const known = new Map<string, string>();
  try {
    const value: unknown = JSON.parse(text);
    for (const [key, print] of Object.entries(isObject(value) ? value : {})) known.set(key, String(print));
  } catch {
    log('warn', `${path} is no JSON; tools that are pinned count as seen for the first time`);
  }
  let saving = Promise.resolve();
  const set = (server: string, tool: string, fingerprint: string) => {
    known.set(keyOf(server, tool), fingerprint);
    saving = saving.then(save).catch((error: unknown) => log('warn', `${path} was not written: ${messageOf(error)}`));
  };
  const save = async () => {
    const temp = `${path}.${process.pid}.tmp`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(temp, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`, { mode: 0o600 });
    await rename(temp, path);
  };
  return {
    see(server, tool, fingerprint) {
      if (!known.has(keyOf(server, tool))) set(server, tool, fingerprint);
    },
    isChanged(server, tool, fingerprint) {
      const accepted = known.get(keyOf(server, tool));
      return accepted !== undefined && accepted !== fingerprint;
    },
    accept: set,
    saved: () => saving,
  };
}
