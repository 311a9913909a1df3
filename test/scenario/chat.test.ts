import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { inWorld } from './runtime-world.ts';

const BIN = join(import.meta.dirname, '../../bin/toolwright.js');

verifies('cli/chat', 'without a terminal each line is answered, a backslash joins two, /exit leaves', () =>
  inWorld(async ({ project, env }) => {
    const child = spawn(process.execPath, [BIN, 'chat', '--allow', 'run_bash'], { cwd: project, env });
    let out = '';
    child.stdout.on('data', (bytes) => {
      out += bytes;
    });
    child.stdin.end(
      'run_bash {"command":"echo one"}\nrun_bash {"command": \\\n"echo two"}\n/exit\nrun_bash {"command":"echo three"}\n',
    );
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect(out).toContain('│ one');
    expect(out).toContain('│ two');
    expect(out).not.toContain('three');
  }),
);

verifies('cli/chat', 'an interrupt cancels what runs and keeps the conversation; a second one leaves', () =>
  inWorld(async ({ project, env }) => {
    const child = spawn(process.execPath, [BIN, 'chat', '--allow', 'run_bash'], { cwd: project, env });
    let out = '';
    const seen = (text: string) =>
      new Promise<void>((resolve) => {
        const look = () => out.includes(text) && resolve();
        child.stdout.on('data', (bytes) => {
          out += bytes;
          look();
        });
        look();
      });
    child.stdin.write('run_bash {"command":"echo began; sleep 20"}\n');
    await seen('| began');
    child.kill('SIGINT');
    await seen('run ended: cancelled');
    child.stdin.write('run_bash {"command":"echo again"}\n');
    await seen('│ again');
    // The reply may not have ended yet: one interrupt would then only cancel it.
    const leaving = setInterval(() => child.kill('SIGINT'), 200);
    const [code] = await once(child, 'exit');
    clearInterval(leaving);
    expect(code).toBe(130);
  }),
);
