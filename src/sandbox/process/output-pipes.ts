import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** What a child writes to, and what is read from it. */
export interface OutputPipes {
  /** For `stdio` of the child. */
  readonly ends: readonly ['pipe', 'pipe'] | readonly [number, number];
  /** Once the child has been made: its copies are its own, ours are closed. */
  attach(child: ChildProcess): { stdout: Readable; stderr: Readable };
  /** When it could not be made. */
  discard(): void;
}

/** node's own: sockets, which cannot be opened again by the name /dev/stdout or /dev/stderr. */
export const socketPipes: OutputPipes = {
  ends: ['pipe', 'pipe'],
  attach({ stdout, stderr }) {
    if (!stdout || !stderr) throw new Error('the child has no output');
    return { stdout, stderr };
  },
  discard() {},
};

/**
 * Real pipes, so that scripts may write to /dev/stdout and /dev/stderr; sockets where the host gives no pipes.
 * They are made as named ones in a folder of ours and have lost their names before a child sees them.
 */
export async function openPipes(tempFolder: string, path: string): Promise<OutputPipes> {
  let folder: string | undefined;
  const open: number[] = [];
  try {
    folder = mkdtempSync(join(tempFolder, 'toolwright-pipe-'));
    const names = [join(folder, 'stdout'), join(folder, 'stderr')];
    await makePipes(names, path);
    for (const name of names) {
      open.push(openSync(name, constants.O_RDONLY | constants.O_NONBLOCK), openSync(name, constants.O_WRONLY));
    }
    return fromDescriptors(open as [number, number, number, number]);
  } catch {
    for (const fd of open) closeSync(fd);
    return socketPipes;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function fromDescriptors([outRead, outWrite, errRead, errWrite]: [number, number, number, number]): OutputPipes {
  const reader = (fd: number) => new Socket({ fd, readable: true, writable: false });
  return {
    ends: [outWrite, errWrite],
    attach() {
      closeSync(outWrite);
      closeSync(errWrite);
      return { stdout: reader(outRead), stderr: reader(errRead) };
    },
    discard() {
      for (const fd of [outRead, outWrite, errRead, errWrite]) closeSync(fd);
    },
  };
}

function makePipes(names: readonly string[], path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('mkfifo', ['-m', '600', ...names], { stdio: 'ignore', env: { PATH: path } });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`mkfifo: ${code}`))));
  });
}
