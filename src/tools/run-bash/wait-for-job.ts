import { onAbort, type ToolContext } from '../../core/index.ts';
import type { Job } from './start-job.ts';

export type WaitEnd = 'ended' | 'time' | 'aborted' | 'called';

/** Waits for the first of: the job's end, the time, the call's own end, and `early`, which is given the way to end it. */
export function waitForJob(
  job: Job,
  ms: number,
  ctx: Pick<ToolContext, 'clock' | 'signal'>,
  early?: (end: () => void) => () => void,
): Promise<WaitEnd> {
  return new Promise((resolve) => {
    let off: (() => void)[] = [];
    let settled = false;
    const end = (why: WaitEnd) => {
      if (settled) return;
      settled = true;
      for (const stop of off) stop();
      off = [];
      resolve(why);
    };
    const timer = Number.isFinite(ms) ? ctx.clock.after(ms, () => end('time')) : undefined;
    off.push(() => timer && ctx.clock.clear(timer));
    off.push(onAbort(ctx.signal, () => end('aborted')));
    if (early) off.push(early(() => end('called')));
    void job.ended.then(() => end('ended'));
    if (settled) for (const stop of off) stop();
  });
}
