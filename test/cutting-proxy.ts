import { createServer, connect as dial, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly url: string;
  /** Connections that were cut by plan. */
  readonly cuts: number;
  /** Cuts all lines; with `down` new ones are cut, too, until `up`. */
  cut(how?: 'down'): void;
  up(): void;
  /** Nothing passes any more on the lines that there are, and nobody is told; new ones work. */
  freeze(): void;
  close(): Promise<void>;
}

export interface CuttingOptions {
  /** After how many bytes, in both directions together, a new connection is cut; undefined: it is not. */
  readonly plan?: () => number | undefined;
}

/** A TCP line to a server on loopback that breaks when it is told to, in the midst of whatever is on it. */
export async function openCuttingProxy(
  target: string,
  { plan = () => undefined }: CuttingOptions = {},
): Promise<CuttingProxy> {
  const port = Number(new URL(target).port);
  const open = new Set<Socket>();
  let isDown = false;
  let cuts = 0;
  const server = createServer((near) => {
    if (isDown) {
      near.resetAndDestroy();
      return;
    }
    const far = dial(port, '127.0.0.1');
    let left = plan();
    const end = () => {
      near.resetAndDestroy();
      far.resetAndDestroy();
    };
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (chunk: Buffer) => {
        const part = left === undefined ? chunk : chunk.subarray(0, left);
        if (left !== undefined) left -= part.byteLength;
        if (!to.write(part)) {
          from.pause();
          to.once('drain', () => from.resume());
        }
        if (left !== 0) return;
        cuts++;
        // What has been passed on arrives, and then nothing more.
        left = -1;
        from.pause();
        to.end(end);
      });
      from.on('end', () => to.end());
      from.on('error', end);
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
      open.add(from);
    };
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const cut = (how?: 'down') => {
    isDown = how === 'down';
    for (const socket of [...open]) socket.resetAndDestroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    get cuts() {
      return cuts;
    },
    cut,
    freeze() {
      for (const socket of open) {
        socket.removeAllListeners('data');
        socket.pause();
      }
    },
    up() {
      isDown = false;
    },
    close: () =>
      new Promise<void>((resolve) => {
        cut('down');
        server.close(() => resolve());
      }),
  };
}
