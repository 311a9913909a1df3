import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../core/index.ts';
import { makeFolder } from '../store/index.ts';

/** Whether what a project brings along (its skills, hooks, MCP servers, tools, keys of models) may be used. */
export interface ProjectTrust {
  readonly trusted: boolean;
  /** Remembers a person's yes for this folder. */
  grant(): Promise<void>;
}

export interface ProjectTrustOptions {
  readonly home: string;
  /** Real path of the project's folder. */
  readonly project: string;
  /** `--trust-project` or TOOLWRIGHT_TRUST_PROJECT. */
  readonly given?: boolean;
}

/**
 * A project is trusted by a flag for one run, or once and for all on a terminal. The answers stand in
 * `trust.json` of the home, mode 0600; a file that cannot be read trusts nothing.
 */
export async function readProjectTrust({ home, project, given = false }: ProjectTrustOptions): Promise<ProjectTrust> {
  const path = join(home, 'trust.json');
  const known = await readKnown(path);
  return {
    trusted: given || project === home || known[project] === true,
    async grant() {
      const next = { ...(await readKnown(path)), [project]: true };
      const temp = `${path}.${process.pid}`;
      makeFolder(home);
      await writeFile(temp, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
      await rename(temp, path);
    },
  };
}

async function readKnown(path: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
