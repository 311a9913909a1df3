import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ToolwrightError } from '../core/index.ts';

/** The folder as an absolute path; ToolwrightError `invalid_request` when there is none. */
export async function workingFolder(folder: string, base: string): Promise<string> {
  const path = resolve(base, folder);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return path;
  throw new ToolwrightError('invalid_request', `the working folder ${path} is not a folder that exists`, {
    hint: 'Name another one with --cwd, or the option cwd.',
  });
}
