import { setTimeout as wait } from 'node:timers/promises';
import { defineTool } from 'toolwright';
import type { Bench } from './harness.ts';
import { withSession } from './local-session.ts';

/** W6: from a cancel to the end of the run, with a tool that does not listen; the finished siblings keep their results. */
export const cancel: Bench = {
  name: 'cancel',
  title: 'from a cancel to the end of the run, with two finished calls and one that is deaf for 3 s',
  unit: 'ms',
  goal: { value: 250 },
  async open() {
    const tool = (name: string, run: () => Promise<string> | string) =>
      defineTool({
        name,
        description: name,
        input: { type: 'object' },
        traits: { readOnly: true },
        claims: () => [],
        run,
      });
    const tools = [tool('quick', () => 'done'), tool('deaf', () => wait(3_000, 'late', { ref: false }))];
    const calls = [
      { name: 'quick', arguments: { n: 1 } },
      { name: 'deaf', arguments: {} },
      { name: 'quick', arguments: { n: 2 } },
    ];
    const ours = () =>
      withSession(tools, calls, async (session) => {
        let cancelled = 0;
        const results: (string | undefined)[] = [];
        setTimeout(() => {
          cancelled = performance.now();
          session.cancel();
        }, 50);
        for await (const event of session.run('go')) {
          if (event.type === 'tool_result') results.push(event.result.error?.code);
        }
        const value = performance.now() - cancelled;
        const kept = results.filter((code) => code === undefined).length;
        if (results.length !== 3 || kept !== 2 || !results.includes('cancelled')) {
          throw new Error(`the results are ${JSON.stringify(results)}`);
        }
        return { value };
      });
    const floor = async () => {
      const began = performance.now();
      await Promise.race([wait(3_000, 'late', { ref: false }), wait(200)]);
      return { value: performance.now() - began };
    };
    return {
      contenders: [
        { name: 'floor: a race with 200 ms of grace', run: floor },
        { name: 'toolwright', run: ours },
      ],
      close: async () => {},
    };
  },
};
