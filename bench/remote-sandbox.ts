import { spawn } from 'node:child_process';
import type { Sandbox } from 'toolwright/core';
import { type Bench, timed } from './harness.ts';
import { openSandboxWorld } from './sandbox-world.ts';

const COMMANDS = 20;
const MEGABYTES = 200;

/** What a short command costs, beside a child made by hand. */
export const sandboxLatency: Bench = {
  name: 'sandbox-latency',
  title: `a command that prints one line, ${COMMANDS} in a row`,
  unit: 'ms per command',
  goal: { value: 30 },
  async open() {
    const world = await openSandboxWorld();
    const { local } = world;
    const contender = (name: string, once: () => Promise<number>) => ({
      name,
      run: () =>
        timed(COMMANDS, async () => {
          for (let i = 0; i < COMMANDS; i++) {
            const bytes = await once();
            if (bytes !== 6) throw new Error(`${name} gave ${bytes} bytes`);
          }
        }),
    });
    return {
      contenders: [
        contender('floor: spawn', () => spawned('echo hello', world.folder)),
        contender('toolwright, passthrough', () => ran(world.passthrough, 'echo hello')),
        ...(local ? [contender('toolwright, local', () => ran(local, 'echo hello'))] : []),
        contender('toolwright, remote', () => ran(world.remote, 'echo hello')),
      ],
      close: world.close,
    };
  },
};

/** A big output, beside a plain pipe. */
export const sandboxOutput: Bench = {
  name: 'sandbox-output',
  title: `an output of ${MEGABYTES} MB`,
  unit: 'ms per MB',
  goal: { value: 20 },
  async open() {
    const world = await openSandboxWorld();
    const { local } = world;
    const command = `head -c ${MEGABYTES}000000 /dev/zero`;
    const contender = (name: string, once: () => Promise<number>) => ({
      name,
      run: () =>
        timed(MEGABYTES, async () => {
          const bytes = await once();
          if (bytes !== MEGABYTES * 1_000_000) throw new Error(`${name} gave ${bytes} bytes`);
        }),
    });
    return {
      contenders: [
        contender('floor: a pipe', () => spawned(command, world.folder)),
        contender('toolwright, passthrough', () => ran(world.passthrough, command)),
        ...(local ? [contender('toolwright, local', () => ran(local, command))] : []),
        contender('toolwright, remote', () => ran(world.remote, command)),
      ],
      close: world.close,
    };
  },
};

function spawned(command: string, cwd: string): Promise<number> {
  const child = spawn('bash', ['-c', command], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(bytes));
  });
}

async function ran(sandbox: Sandbox, command: string): Promise<number> {
  let bytes = 0;
  const child = await sandbox.start(command, {
    onOutput: (piece) => {
      bytes += piece.byteLength;
    },
  });
  await child.wait();
  return bytes;
}
