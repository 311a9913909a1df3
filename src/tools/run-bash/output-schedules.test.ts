import fc from 'fast-check';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import type { EventBody, OutputStream, Sandbox, ToolContext } from '../../core/index.ts';
import { DEFAULT_LIMITS } from '../../executor/limits.ts';
import { createProgress } from '../../executor/progress.ts';
import { createPendingEvents } from '../../runtime/pending-events.ts';
import { createMemoryOutputs } from '../../testing/memory-outputs.ts';
import { inTempFolder } from '../../testing/temp-folder.ts';
import { createToolContext } from '../../testing/tool-context.ts';
import { createVirtualClock } from '../../testing/virtual-clock.ts';
import { runBash } from '../index.ts';
import { longestOverlap } from './longest-overlap.ts';

/** The whole proof: OUTPUT_SCHEDULES=10000. */
const RUNS = Number(process.env['OUTPUT_SCHEDULES'] ?? 300);
const INTERVAL_MS = 50;
const FLUSH_BYTES = 16_384;

interface Write {
  readonly wait: number;
  readonly stream: OutputStream;
  readonly text: string;
  readonly times: number;
}
interface Schedule {
  readonly writes: readonly Write[];
  /** A written letter may come in two parts. */
  readonly cutEvery: number;
  readonly reads: 'push' | 'range' | 'tail';
  readonly mostBytes: number;
  readonly cuts: readonly { readonly at: number; readonly ms: number }[];
  readonly killAt: number | undefined;
  readonly readerPause: number;
}

const write: fc.Arbitrary<Write> = fc.record({
  wait: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 400 })),
  stream: fc.constantFrom('stdout', 'stderr'),
  text: fc.constantFrom('x', 'line\n', '进度:1\n', 'café☕', '👨‍👩‍👧', '\r50%', 'aaaa', '\u001b[1m', 'é'),
  times: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 2_000 })),
});
const schedules: fc.Arbitrary<Schedule> = fc.record({
  writes: fc.array(write, { maxLength: 12 }),
  cutEvery: fc.integer({ min: 1, max: 7 }),
  reads: fc.constantFrom('push', 'range', 'tail'),
  mostBytes: fc.oneof(fc.constantFrom(1, 2, 3, 5), fc.integer({ min: 64, max: 70_000 })),
  cuts: fc.array(fc.record({ at: fc.integer({ min: 0, max: 1_500 }), ms: fc.integer({ min: 1, max: 5_000 }) }), {
    maxLength: 2,
  }),
  killAt: fc.option(fc.integer({ min: 0, max: 1_500 }), { nil: undefined }),
  readerPause: fc.constantFrom(0, 10, 300, 100_000),
});

/** A process elsewhere, whose output is kept there. */
function fakeSandbox(schedule: Schedule, clock: ReturnType<typeof createVirtualClock>, base: Sandbox) {
  const written = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  let push: ((bytes: Uint8Array, stream: OutputStream) => unknown) | undefined;
  let exit = (_signal: string | null) => {};
  const exited = new Promise<{ code: number | null; signal: string | null; leftChildren: boolean }>((resolve) => {
    exit = (signal) => resolve({ code: signal === null ? 0 : null, signal, leftChildren: false });
  });
  let over = false;
  const end = (signal: string | null) => {
    over = true;
    exit(signal);
  };
  const put = (stream: OutputStream, bytes: Buffer) => {
    if (over) return;
    // Of a tail no more can be known than it holds.
    const room = schedule.reads === 'tail' ? 60_000 - written[stream].byteLength : Number.POSITIVE_INFINITY;
    const fits = bytes.subarray(0, Math.max(0, room));
    written[stream] = Buffer.concat([written[stream], fits]);
    if (fits.byteLength > 0) void push?.(fits, stream);
  };
  const isCut = () => schedule.cuts.some(({ at, ms }) => clock.now() - began >= at && clock.now() - began < at + ms);
  const began = clock.now();
  const sandbox: Sandbox = {
    ...base,
    capabilities: { ...base.capabilities, rangeReads: schedule.reads === 'range', pushes: schedule.reads === 'push' },
    async start(_command, options) {
      if (schedule.reads === 'push') push = options?.onOutput;
      let at = 0;
      for (const { wait, stream, text, times } of schedule.writes) {
        at += wait;
        const bytes = Buffer.from(text.repeat(times));
        const cut = Math.min(schedule.cutEvery, bytes.byteLength);
        clock.after(at, () => put(stream, bytes.subarray(0, cut)));
        clock.after(at + 1, () => put(stream, bytes.subarray(cut)));
        at += 1;
      }
      clock.after(at + 1, () => end(null));
      return { id: 'p', wait: () => exited, kill: async () => end('SIGTERM') };
    },
    async readOutput(_id, stream, offset, max) {
      if (isCut()) throw new Error('the line is cut');
      const bytes = written[stream].subarray(
        offset,
        offset + Math.min(max, Math.max(schedule.mostBytes, Math.ceil(written[stream].byteLength / 500))),
      );
      return { bytes, next: offset + bytes.byteLength };
    },
    async tailOutput(_id, stream, max) {
      if (isCut()) throw new Error('the line is cut');
      return Buffer.from(written[stream].subarray(-max));
    },
  };
  return { sandbox, written };
}

verifies(
  'PROG-01',
  `whatever is written, cut, killed or read slowly, each stream comes whole, and is closed once, last (${RUNS} schedules)`,
  () =>
    inTempFolder(async (root) => {
      const base = createToolContext({ root });
      const place = await base.roots.resolve('.', 'read');
      const folder = await base.sandbox.stat(place.real);
      await fc.assert(
        fc.asyncProperty(schedules, async (schedule) => {
          const clock = createVirtualClock();
          // Real files take real time, which this clock does not know.
          const { sandbox, written } = fakeSandbox(schedule, clock, base.sandbox);
          const sent: Extract<EventBody, { type: 'tool_progress' }>[] = [];
          const queue = createPendingEvents<EventBody>();
          const received: EventBody[] = [];
          const progress = createProgress(
            'c',
            (event) => {
              if (event.type === 'tool_progress') sent.push(event);
              queue.push(event);
              if (schedule.readerPause === 0) received.push(...queue.take());
            },
            clock,
            DEFAULT_LIMITS,
          );
          const abort = new AbortController();
          const context: ToolContext = {
            ...base,
            sandbox: { ...sandbox, stat: async () => folder },
            roots: { ...base.roots, resolve: async () => place },
            clock,
            outputs: createMemoryOutputs(),
            signal: abort.signal,
            progress: progress.push,
          };
          const began = clock.now();
          if (schedule.killAt !== undefined) clock.after(schedule.killAt, () => abort.abort(new Error('stop')));
          let reading = schedule.readerPause > 0;
          const readOn = () => {
            received.push(...queue.take());
            if (reading) clock.after(schedule.readerPause, readOn);
          };
          if (reading) clock.after(schedule.readerPause, readOn);
          let done = false;
          const run = Promise.resolve(runBash.run({ command: 'any' }, context)).finally(() => {
            progress.close();
            done = true;
          });
          await clock.runUntil(() => done);
          reading = false;
          await run;
          const time = clock.now() - began;
          progress.push('late');
          received.push(...queue.take());
          for (const stream of ['stdout', 'stderr'] as const) {
            const of = (events: readonly EventBody[]) =>
              events.flatMap((event) =>
                event.type === 'tool_progress' && event.stream === stream && !event.closed ? [event] : [],
              );
            const expected = new TextDecoder().decode(written[stream]);
            const text = of(received).map((event) => event.text);
            if (text.join('') !== expected) throw new Error(`${stream}: ${text.join('').length} of ${expected.length}`);
            const most = Math.ceil(time / INTERVAL_MS) + Math.ceil(written[stream].byteLength / FLUSH_BYTES) + 1;
            expect(of(sent).length).toBeLessThanOrEqual(most);
            expect(of(received).length).toBeLessThanOrEqual(of(sent).length);
          }
          const closes = received.filter((event) => event.type === 'tool_progress' && event.closed);
          expect(closes).toHaveLength(1);
          expect(received.at(-1)).toBe(closes[0]);
        }),
        { numRuns: RUNS },
      );
      await base.dispose();
    }),
  RUNS * 100 + 60_000,
);

verifies('PROG-01', 'real processes: what is printed comes whole, cut anywhere', () =>
  inTempFolder(async (root) => {
    const context = createToolContext({ root, env: { PATH: process.env['PATH'] ?? '' } });
    const script = `const all={1:'',2:''};let n=0;
      const next=()=>{if(n++>=40)return;const fd=n%3===0?2:1;const b=Buffer.from('进度☕'+n+'\\n');const cut=n%b.length;
      process[fd===1?'stdout':'stderr'].write(b.subarray(0,cut));setTimeout(()=>{process[fd===1?'stdout':'stderr'].write(b.subarray(cut));next()},n%4)};next()`;
    await runBash.run({ command: `node -e "${script}"` }, context);
    const of = (stream: string) =>
      context.told.flatMap((piece) => (piece.stream === stream ? [piece.text] : [])).join('');
    const line = (n: number) => `进度☕${n}\n`;
    const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
    expect(of('stdout')).toBe(
      numbers
        .filter((n) => n % 3 !== 0)
        .map(line)
        .join(''),
    );
    expect(of('stderr')).toBe(
      numbers
        .filter((n) => n % 3 === 0)
        .map(line)
        .join(''),
    );
    await context.dispose();
  }),
);

verifies('PROG-01', 'tails are joined where they overlap the most', () => {
  const overlap = (before: string, now: string) => longestOverlap(Buffer.from(before), Buffer.from(now));
  expect(overlap('', 'abc')).toBe(0);
  expect(overlap('abc', 'abcdef')).toBe(3);
  expect(overlap('xxabab', 'ababcc')).toBe(4);
  expect(overlap('aaaa', 'aaaaaa')).toBe(4);
  expect(overlap('abc', 'xyz')).toBe(0);
  expect(overlap('abc', 'abc')).toBe(3);
});
