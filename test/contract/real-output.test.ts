import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { OutputStream, Sandbox } from '../../src/core/index.ts';
import { createToolRunner } from '../../src/testing/tool-runner.ts';
import { runBash } from '../../src/tools/index.ts';
import { openCuttingProxy } from '../cutting-proxy.ts';
import { openLocalWorld, openPassthroughWorld, whyNoLocal } from '../local-world.ts';
import { openRemoteWorld } from '../remote-world.ts';
import { verifies } from '../verifies.ts';

/** Schedules of each sandbox; raise it for a long search. */
const RUNS = Number(process.env['OUTPUT_REAL_SCHEDULES'] ?? 8);

interface Place {
  readonly root: string;
  readonly sandbox: Sandbox;
  dispose(): Promise<void>;
}

/** Bytes of one write, the pause after it, and on which stream. */
interface Write {
  readonly bytes: number;
  readonly pause: number;
  readonly stream: OutputStream;
}

interface Schedule {
  readonly writes: readonly Write[];
  readonly killAfter: number | undefined;
  /** Bytes that each line to a remote sandbox lives for. */
  readonly cuts: readonly number[];
}

const schedule: fc.Arbitrary<Schedule> = fc.record({
  writes: fc.array(
    fc.record({
      bytes: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 3_000 }), fc.constant(150_000)),
      pause: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 70 })),
      stream: fc.constantFrom<OutputStream>('stdout', 'stderr'),
    }),
    { minLength: 1, maxLength: 10 },
  ),
  killAfter: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
  cuts: fc.array(fc.integer({ min: 200, max: 120_000 }), { maxLength: 3 }),
});

/** Letters of two and three bytes, cut anywhere by the writes; a letter tells how much was written before it. */
const whole = (stream: OutputStream) =>
  Buffer.from(Array.from({ length: 260_000 }, (_, n) => (stream === 'stdout' ? '进度é' : 'ñ☕ß')[n % 3]).join(''));

/** Writes by plan, and notes after each write how far it is. */
const PROGRAM = `
import { appendFileSync, readFileSync, writeSync } from 'node:fs';
const { writes, all } = JSON.parse(readFileSync('plan.json', 'utf8'));
const bytes = { stdout: Buffer.from(all.stdout, 'base64'), stderr: Buffer.from(all.stderr, 'base64') };
const at = { stdout: 0, stderr: 0 };
for (const { bytes: count, pause, stream } of writes) {
  for (const end = at[stream] + count; at[stream] < end; ) {
    try {
      at[stream] += writeSync(stream === 'stdout' ? 1 : 2, bytes[stream], at[stream], end - at[stream]);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
    appendFileSync('written', stream + ' ' + at[stream] + '\\n');
  }
  if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
}
`;

const NODE = `'${process.execPath}' program.mjs`;

async function tryOne(open: (cuts: readonly number[]) => Promise<Place>, { writes, killAfter, cuts }: Schedule) {
  const place = await open(cuts);
  try {
    const root = join(place.root, 'work');
    await mkdir(root);
    const all = { stdout: whole('stdout').toString('base64'), stderr: whole('stderr').toString('base64') };
    await writeFile(join(root, 'plan.json'), JSON.stringify({ writes, all }));
    await writeFile(join(root, 'program.mjs'), PROGRAM);
    await writeFile(join(root, 'written'), '');
    const tools = createToolRunner([runBash], { root, sandbox: place.sandbox });
    const limit = killAfter === undefined ? {} : { timeout_ms: killAfter };
    const result = await tools.run('run_bash', { command: NODE, ...limit });
    expect(['completed', 'timeout']).toContain((result.data as { status: string }).status);
    const noted = (await readFile(join(root, 'written'), 'utf8')).trimEnd().split('\n');
    for (const stream of ['stdout', 'stderr'] as const) {
      const shown = tools.context.told.flatMap((piece) => (piece.stream === stream ? [piece.text] : [])).join('');
      const planned = writes.reduce((sum, write) => sum + (write.stream === stream ? write.bytes : 0), 0);
      const written = Number(noted.findLast((line) => line.startsWith(stream))?.slice(stream.length) ?? 0);
      // What a killed program had begun to write when it was ended may stand behind what it has noted.
      const least = killAfter === undefined ? planned : written;
      const shownBytes = Buffer.byteLength(shown.replace(/\ufffd$/, ''));
      expect(new TextDecoder().decode(whole(stream).subarray(0, shownBytes))).toBe(shown.replace(/\ufffd$/, ''));
      // The last letter may have been cut.
      expect(shownBytes).toBeGreaterThan(least - 3);
      expect(shownBytes).toBeLessThanOrEqual(planned);
    }
  } finally {
    await place.dispose();
  }
}

async function remote(cuts: readonly number[]): Promise<Place> {
  const world = await openRemoteWorld();
  const plan = [...cuts];
  let isArmed = false;
  const proxy = await openCuttingProxy(world.url, { plan: () => (isArmed ? plan.shift() : undefined) });
  const { sandbox } = await world.connect({ url: proxy.url });
  // Where the first word is lost nothing has begun, and nothing is tried again.
  isArmed = true;
  proxy.cut();
  const dispose = async () => {
    await world.dispose();
    await proxy.close();
  };
  return { root: world.root, sandbox, dispose };
}

const tools = [{ path: process.execPath, access: 'read' as const }];
const PLACES: Readonly<Record<string, (cuts: readonly number[]) => Promise<Place>>> = {
  passthrough: () => openPassthroughWorld(),
  remote,
  ...(whyNoLocal === undefined ? { local: () => openLocalWorld({ mounts: tools }) } : {}),
};

for (const [kind, open] of Object.entries(PLACES)) {
  verifies(
    'PROG-01',
    `${kind}: of real programs each stream comes whole, over ${RUNS} schedules of writes, kills and cut lines`,
    () =>
      fc.assert(
        fc.asyncProperty(schedule, (one) => tryOne(open, one)),
        { numRuns: RUNS, endOnFailure: true },
      ),
    RUNS * 20_000 + 60_000,
  );
}
