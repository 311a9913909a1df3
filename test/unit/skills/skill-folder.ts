import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder of its own, removed afterwards. */
export async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'skills-')));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes a file, making its folders; gives its path. */
export async function put(path: string, content: string | Uint8Array, mode = 0o644): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  await chmod(path, mode);
  return path;
}

/** The text of a SKILL.md. */
export const skillText = (name: string, description = `Does ${name}.`, body = 'Do it.', ...fields: string[]): string =>
  `---\n${[`name: ${name}`, `description: ${description}`, ...fields].join('\n')}\n---\n${body}\n`;
