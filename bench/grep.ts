import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import { createRuntime } from 'toolwright';
import { type Bench, timed } from './harness.ts';

const FILES = 2_000;
const MATCHES = 100;

/** A search with few hits in many files, beside ripgrep itself. */
export const grep: Bench = {
  name: 'grep',
  title: `a search through ${FILES} files with ${MATCHES} hits`,
  unit: 'ms',
  goal: { ratio: 2.5 },
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'toolwright-bench-'));
    const project = join(folder, 'project');
    for (let i = 0; i < FILES; i++) {
      const file = join(project, `d${i % 40}`, `f${i}.txt`);
      if (i < 40) await mkdir(join(project, `d${i}`), { recursive: true });
      const needle = i % (FILES / MATCHES) === 0 ? 'the needle is here\n' : '';
      await writeFile(file, `${'a line of ordinary text, nothing to see\n'.repeat(100)}${needle}`);
    }
    const runtime = await createRuntime({
      cwd: project,
      env: { ...process.env, TOOLWRIGHT_HOME: join(folder, 'home') },
    });
    const session = await runtime.session();
    const byHand = () =>
      timed(1, async () => {
        const { stdout } = await promisify(execFile)(rgPath, ['--json', '--sort=path', 'needle', '.'], {
          cwd: project,
        });
        const hits = stdout.split('\n').filter((line) => line.startsWith('{"type":"match"')).length;
        if (hits !== MATCHES) throw new Error(`${hits} hits`);
      });
    const ours = () =>
      timed(1, async () => {
        const { data } = await session.call('grep_files', { pattern: 'needle' });
        if ((data as { count: number }).count !== MATCHES) throw new Error(JSON.stringify(data));
      });
    return {
      contenders: [
        { name: 'floor: ripgrep itself', run: byHand },
        { name: 'toolwright', run: ours },
      ],
      async close() {
        await runtime.close();
        await rm(folder, { recursive: true });
      },
    };
  },
};
