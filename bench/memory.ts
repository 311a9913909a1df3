import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Bench } from './harness.ts';
import { startModelServer } from './start-model-server.ts';

/** The most memory that a process takes for a long run, everything that it loads included. */
export function memory(steps: number): Bench {
  return {
    name: 'memory',
    title: `peak memory of a process that makes a run of ${steps} steps`,
    unit: 'MB',
    goal: { ratio: 2 },
    async open() {
      const server = await startModelServer();
      const child = fileURLToPath(new URL('./memory-child.ts', import.meta.url));
      const contender = (name: string, who: string) => ({
        name,
        async run() {
          const args = ['--import', 'tsx', child, who, server.baseUrl, String(steps)];
          const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
          const { text, mb } = JSON.parse(stdout) as { text: string; mb: number };
          if (text !== 'valid') throw new Error(`${name} ended with ${text}`);
          return { value: mb };
        },
      });
      return {
        contenders: [contender('floor: node:http by hand', 'floor'), contender('toolwright', 'ours')],
        close: () => server.close(),
      };
    },
  };
}
