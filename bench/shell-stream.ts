import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRuntime } from 'toolwright';
import type { Bench } from './harness.ts';

const LINE = 'a line of output that is of an ordinary length, as a build prints';

/** A command's flood through the whole house, live output and the stored file included; `growth`: memory taken on the way. */
export function shellStream(what: 'time' | 'growth', megabytes: number): Bench {
  const bytes = megabytes * 1_048_576;
  const command = `yes '${LINE}' | head -c ${bytes}`;
  const measured = async (work: () => Promise<void>) => {
    const before = process.memoryUsage().rss;
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 20);
    const began = performance.now();
    await work();
    clearInterval(timer);
    return { value: what === 'time' ? performance.now() - began : (most - before) / 1_048_576 };
  };
  return {
    name: what === 'time' ? 'shell-stream' : 'shell-stream-memory',
    title:
      what === 'time' ? `${megabytes} MB printed by a command` : `memory taken while a command prints ${megabytes} MB`,
    unit: what === 'time' ? 'ms' : 'MB',
    goal: what === 'time' ? { ratio: 10 } : { value: 100 },
    async open() {
      const home = await mkdtemp(join(tmpdir(), 'toolwright-bench-'));
      const runtime = await createRuntime({ cwd: home, env: { ...process.env, TOOLWRIGHT_HOME: home } });
      const session = await runtime.session({ allow: ['run_bash'] });
      const pipe = () =>
        new Promise<void>((resolve, reject) => {
          let count = 0;
          const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] });
          child.stdout.on('data', (chunk: Buffer) => {
            count += chunk.byteLength;
          });
          child.once('close', () => (count === bytes ? resolve() : reject(new Error(`${count} bytes came`))));
        });
      const ours = async () => {
        let shown = 0;
        const result = await session.call(
          'run_bash',
          { command, timeout_ms: 590_000, block_until_ms: 590_000 },
          {
            onEvent: (event) => {
              if (event.type === 'tool_progress') shown += event.text.length;
            },
          },
        );
        if (shown !== bytes || result.error) throw new Error(`${shown} characters were shown: ${result.content}`);
        await rm(join(home, 'outputs'), { recursive: true, force: true });
      };
      return {
        contenders: [
          { name: 'floor: a plain pipe', run: () => measured(pipe) },
          { name: 'toolwright', run: () => measured(ours) },
        ],
        async close() {
          await runtime.close();
          await rm(home, { recursive: true, force: true });
        },
      };
    },
  };
}
