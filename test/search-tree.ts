import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { inTempFolder } from '../src/testing/temp-folder.ts';
import { createToolRunner, type ToolRunner } from '../src/testing/tool-runner.ts';
import { globFiles, grepFiles, readFile } from '../src/tools/index.ts';

/** What commands of a test get from the host. */
export const env = { PATH: process.env['PATH'] ?? '' };

/** Files in the folder `root` of a folder of their own, and the search tools on it. */
export const withTree = (files: Record<string, string>, body: (tools: ToolRunner, root: string) => Promise<void>) =>
  inTempFolder(async (folder) => {
    const root = join(folder, 'root');
    await mkdir(root);
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), content);
    }
    const tools = createToolRunner([grepFiles, globFiles, readFile], { root, env, ripgrep: rgPath });
    await body(tools, root);
    await tools.context.dispose();
  });

export const globbed = async (tools: ToolRunner, input: object) =>
  (await tools.run('glob_files', input)).data as { files: string[]; count: number; truncated: boolean };

export const grepped = async (tools: ToolRunner, input: object) => (await tools.run('grep_files', input)).text;
