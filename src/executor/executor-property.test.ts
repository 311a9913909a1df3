import fc from 'fast-check';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type Claim, defineTool, type RawToolCall, type Tool, type ToolResult } from '../core/index.ts';
import { createExecutionSession } from '../testing/execution-session.ts';
import { createVirtualClock, type VirtualClock } from '../testing/virtual-clock.ts';
import { createExecutor } from './executor.ts';

/** What one random call does: adds its number to what it writes, after reading what it reads. */
interface Job {
  readonly claims: readonly Claim[];
  readonly ms: number;
  readonly fails: boolean;
  readonly interrupt: 'cancel' | 'block';
  /** Does not listen to its signal. */
  readonly deaf: boolean;
  /** Given up after this time; undefined: never. */
  readonly timeoutMs: number | undefined;
}

const key = fc.constantFrom('', 'file:/a', 'file:/a/x', 'file:/a/y', 'file:/ab', 'file:/b', 'todo:1');
const claim: fc.Arbitrary<Claim> = fc.record({ key, mode: fc.constantFrom('read' as const, 'write' as const) });
const job: fc.Arbitrary<Job> = fc.record({
  claims: fc.array(claim, { maxLength: 3 }),
  ms: fc.integer({ min: 1, max: 400 }),
  fails: fc.boolean(),
  interrupt: fc.constantFrom('cancel' as const, 'block' as const),
  deaf: fc.boolean(),
  timeoutMs: fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }),
});

const conflict = (a: Job, b: Job) =>
  a.claims.some((x) => b.claims.some((y) => (x.mode === 'write' || y.mode === 'write') && related(x.key, y.key)));
const related = (a: string, b: string) => a === b || above(a, b) || above(b, a);
const above = (a: string, b: string) => a === '' || b.startsWith(`${a}/`);

type State = Map<string, string>;

/** All keys that a call may touch under its claims: the claimed ones and everything below. */
const KEYS = ['file:/a', 'file:/a/x', 'file:/a/y', 'file:/ab', 'file:/b', 'todo:1'];
const below = (claims: readonly Claim[], mode?: 'write') =>
  KEYS.filter((k) => claims.some((c) => (mode === undefined || c.mode === mode) && (c.key === k || above(c.key, k))));

/** A call's whole effect, at the moment in which it ends: each written key gets a digest of all that was read. */
function effect(state: State, index: number, { claims }: Job): void {
  const read = below(claims)
    .map((k) => `${k}=${state.get(k) ?? ''}`)
    .join(';');
  let digest = index;
  for (const unit of read) digest = (digest * 31 + unit.charCodeAt(0)) % 1_000_003;
  for (const k of below(claims, 'write')) state.set(k, `${index}:${digest}`);
}

/** The serial interpreter: the calls that took effect, one by one in call order. */
function runSerially(jobs: readonly Job[], tookEffect: ReadonlySet<number>): State {
  const state: State = new Map();
  jobs.forEach((one, index) => {
    if (tookEffect.has(index)) effect(state, index, one);
  });
  return state;
}

/** The longest chain of conflicting calls, by their durations. */
function criticalPath(jobs: readonly Job[]): number {
  const ends: number[] = [];
  jobs.forEach((one, index) => {
    let start = 0;
    for (let earlier = 0; earlier < index; earlier++) {
      if (conflict(jobs[earlier] as Job, one)) start = Math.max(start, ends[earlier] as number);
    }
    ends.push(start + one.ms);
  });
  return Math.max(0, ...ends);
}

function toolFor(index: number, one: Job, clock: VirtualClock, state: State, tookEffect: Set<number>): Tool {
  return defineTool({
    name: `job_${index}`,
    description: 'One random call.',
    input: { type: 'object' },
    traits: { interrupt: one.interrupt, ...(one.timeoutMs === undefined ? {} : { timeoutMs: one.timeoutMs }) },
    claims: () => one.claims,
    run: (_input, { signal }) =>
      new Promise((resolve, reject) => {
        const timer = clock.after(one.ms, () => {
          tookEffect.add(index);
          effect(state, index, one);
          if (one.fails) reject(new Error('failed after its effect'));
          else resolve('done');
        });
        if (one.deaf) return;
        signal.addEventListener('abort', () => {
          clock.clear(timer);
          reject(signal.reason);
        });
      }),
  });
}

async function check(jobs: readonly Job[], cancelAt: number | undefined): Promise<void> {
  const clock = createVirtualClock();
  const state: State = new Map();
  const tookEffect = new Set<number>();
  const controller = new AbortController();
  const tools = jobs.map((one, index) => toolFor(index, one, clock, state, tookEffect));
  const calls: RawToolCall[] = tools.map((tool, index) => ({ id: `c${index}`, name: tool.name, arguments: '{}' }));
  let counter = 0;
  const executor = createExecutor({ clock, newId: () => `n${counter++}`, limits: { maxParallel: 1_000 } });
  if (cancelAt !== undefined) clock.after(cancelAt, () => controller.abort());
  const began = clock.now();
  const execution = executor.execute(
    calls,
    createExecutionSession(tools, { signal: controller.signal, emit: () => {} }),
  );
  let results: readonly ToolResult[] | undefined;
  let finished = false;
  execution.results.then((value) => {
    results = value;
  });
  execution.finished.then(() => {
    finished = true;
  });
  await clock.runUntil(() => results !== undefined);
  const makespan = clock.now() - began;
  await clock.runUntil(() => finished);
  await clock.advance(10_000);

  expect(results?.map((result) => result.callId)).toEqual(calls.map((call) => call.id));
  expect([...state].sort()).toEqual([...runSerially(jobs, tookEffect)].sort());
  const isPlain = cancelAt === undefined && jobs.every((one) => one.timeoutMs === undefined);
  if (isPlain) {
    expect(tookEffect.size).toBe(jobs.length);
    expect(makespan).toBeLessThanOrEqual(criticalPath(jobs) * 1.1);
  }
  results?.forEach((result, index) => {
    const one = jobs[index] as Job;
    if (!result.error) expect(tookEffect.has(index)).toBe(true);
    else if (result.error.message.includes('did not run')) expect(tookEffect.has(index)).toBe(false);
    else if (result.error.code === 'failed') expect(one.fails).toBe(true);
  });
}

const writer = (key: string, ms: number): Job => ({
  claims: [{ key, mode: 'write' }],
  ms,
  fails: false,
  interrupt: 'cancel',
  deaf: false,
  timeoutMs: undefined,
});

/** Batches that broke an executor once. */
const PAST_FAILURES: [Job[], number | undefined][] = [
  [[writer('', 2), writer('file:/b', 1), { ...writer('', 1), claims: [] }], undefined],
  [[writer('file:/a', 20), writer('file:/a/x', 1), writer('file:/ab', 1)], 10],
];

verifies(
  'executor/serial',
  'random batches end in the state of a serial run, in time',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(job, { minLength: 1, maxLength: 12 }),
        fc.option(fc.integer({ min: 0, max: 600 }), { nil: undefined }),
        check,
      ),
      { numRuns: 400, examples: PAST_FAILURES },
    );
  },
  120_000,
);

verifies(
  'executor/serial',
  'without timeouts and cancels the makespan is that of the conflict graph',
  async () => {
    const plain = job.map((one) => ({ ...one, timeoutMs: undefined }));
    await fc.assert(
      fc.asyncProperty(fc.array(plain, { minLength: 1, maxLength: 20 }), (jobs) => check(jobs, undefined)),
      { numRuns: 200 },
    );
  },
  120_000,
);
