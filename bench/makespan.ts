import { setTimeout as wait } from 'node:timers/promises';
import { defineTool } from 'toolwright';
import type { Bench } from './harness.ts';
import { withSession } from './local-session.ts';

const COUNT = 8;
const MS = 100;

/** W2: how long calls that share nothing take together. */
export const makespan: Bench = {
  name: 'makespan',
  title: `${COUNT} calls of ${MS} ms that share nothing, from the first start to the last end`,
  unit: 'ms',
  goal: { value: 103 },
  async open() {
    const clock = { first: 0, last: 0, ended: 0 };
    const work = async () => {
      clock.first ||= performance.now();
      await wait(MS);
      clock.last = performance.now();
      clock.ended++;
      return 'done';
    };
    const slow = defineTool({
      name: 'slow',
      description: 'Waits.',
      input: { type: 'object' },
      traits: { readOnly: true },
      claims: () => [],
      run: work,
    });
    const calls = Array.from({ length: COUNT }, (_, n) => ({ name: 'slow', arguments: { n } }));
    const contender = (name: string, run: () => Promise<void>) => ({
      name,
      async run() {
        Object.assign(clock, { first: 0, last: 0, ended: 0 });
        await run();
        if (clock.ended !== COUNT) throw new Error(`${clock.ended} of ${COUNT} ended`);
        return { value: clock.last - clock.first };
      },
    });
    return {
      contenders: [
        contender('floor: Promise.all', async () => void (await Promise.all(calls.map(work)))),
        contender('toolwright', () =>
          withSession([slow], calls, async (session) => {
            for await (const _events of session.run('go').batches());
          }),
        ),
      ],
      close: async () => {},
    };
  },
};
