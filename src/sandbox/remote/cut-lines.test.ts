import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { openCuttingProxy } from '../../../test/cutting-proxy.ts';
import { hurried } from '../../../test/hurried-clock.ts';
import { inRemoteWorld, type RemoteWorld } from '../../../test/remote-world.ts';
import { verifies } from '../../../test/verifies.ts';
import type { OutputStream } from '../../core/index.ts';

const SCHEDULES = Number(process.env['TOOLWRIGHT_TEST_CUTS'] ?? 60);
const AT_ONCE = 8;

interface Burst {
  readonly stream: OutputStream;
  readonly from: number;
  readonly lines: number;
  readonly pauseMs: number;
}

interface Schedule {
  readonly bursts: readonly Burst[];
  /** After how many bytes each connection breaks, one after the other; then they hold. */
  readonly cuts: readonly number[];
  /** How long the reader takes for a piece; 0: no time. */
  readonly readMs: number;
  /** When it is killed, if it still runs. */
  readonly killMs: number | null;
}

const schedule: fc.Arbitrary<Schedule> = fc.record({
  bursts: fc.array(
    fc.record({
      stream: fc.constantFrom<OutputStream>('stdout', 'stderr'),
      from: fc.nat(100_000),
      lines: fc.oneof(fc.nat(20), fc.nat(8_000)),
      pauseMs: fc.constantFrom(0, 0, 1, 20),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  cuts: fc.array(fc.oneof(fc.nat(700), fc.nat(3_000), fc.nat(100_000)), { maxLength: 8 }),
  readMs: fc.constantFrom(0, 0, 0, 1),
  killMs: fc.option(fc.nat(80), { freq: 3 }),
});

const commandOf = (bursts: readonly Burst[]) =>
  bursts
    .map(({ stream, from, lines, pauseMs }) => {
      const seq = `seq ${from} ${from + lines}${stream === 'stderr' ? ' >&2' : ''}`;
      return pauseMs === 0 ? seq : `${seq}; sleep ${pauseMs / 1_000}`;
    })
    .join('\n');

const textOf = (bursts: readonly Burst[], stream: OutputStream) =>
  bursts
    .filter((burst) => burst.stream === stream)
    .flatMap(({ from, lines }) => Array.from({ length: lines + 1 }, (_, i) => `${from + i}\n`))
    .join('');

/** Runs one schedule; gives how often the line was cut. */
async function runSchedule(
  world: RemoteWorld,
  index: number,
  { bursts, cuts, readMs, killMs }: Schedule,
): Promise<number> {
  const left = [...cuts];
  let isArmed = false;
  const proxy = await openCuttingProxy(world.url, { plan: () => (isArmed ? left.shift() : undefined) });
  try {
    const { sandbox } = await world.connect({ url: proxy.url, clock: hurried(20) });
    isArmed = true;
    proxy.cut();
    const got: Record<OutputStream, Uint8Array[]> = { stdout: [], stderr: [] };
    const mark = join(world.root, `starts-${index}`);
    const child = await sandbox.start(`echo once >> ${mark}\n${commandOf(bursts)}\nexit ${index % 50}`, {
      onOutput: (bytes, stream) => {
        got[stream].push(Uint8Array.from(bytes));
        return readMs === 0 ? undefined : new Promise((resolve) => void setTimeout(resolve, readMs));
      },
    });
    const timer = killMs === null ? undefined : setTimeout(() => void child.kill(), killMs);
    const exit = await child.wait();
    clearTimeout(timer);
    const isWhole = exit.signal === null;
    expect(exit).toEqual({
      code: isWhole ? index % 50 : null,
      signal: isWhole ? null : 'SIGTERM',
      leftChildren: false,
    });
    expect(await child.wait()).toBe(exit);
    for (const stream of ['stdout', 'stderr'] as const) {
      const text = Buffer.concat(got[stream]).toString();
      const whole = textOf(bursts, stream);
      if (isWhole ? text !== whole : !whole.startsWith(text))
        throw new Error(`${stream} of ${JSON.stringify({ bursts, cuts })} differs`);
    }
    const started = await readFile(mark, 'utf8').catch(() => '');
    if (isWhole || started !== '') expect(started).toBe('once\n');
    await sandbox.dispose();
    return proxy.cuts;
  } finally {
    await proxy.close();
  }
}

verifies(
  'remote/resume',
  `over ${SCHEDULES} random schedules of cuts no byte of a command is lost or comes twice, and it runs once`,
  () =>
    inRemoteWorld(
      async (world) => {
        const schedules = fc.sample(schedule, SCHEDULES);
        let next = 0;
        let cuts = 0;
        const work = async () => {
          for (let index = next++; index < schedules.length; index = next++) {
            const made = await runSchedule(world, index, schedules[index] as Schedule);
            cuts += made;
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, work));
        expect(cuts).toBeGreaterThan(SCHEDULES);
      },
      { limits: { mostSessions: 2 * AT_ONCE } },
    ),
  600_000,
);
