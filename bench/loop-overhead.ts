import { floorFetch } from './floors/floor-fetch.ts';
import { floorHttp } from './floors/floor-http.ts';
import type { LoopTool } from './floors/loop.ts';
import { type Bench, timed } from './harness.ts';
import { openOurs } from './ours.ts';
import { startModelServer } from './start-model-server.ts';

/** Says its number again. */
export const echo: LoopTool = {
  name: 'echo',
  description: 'Says the number again.',
  parameters: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
  run: (input) => `echo ${input['number']}`,
};

/** W1: what a step costs in a run of many, one call a step. */
export function loopOverhead(steps: number): Bench {
  return {
    name: `loop-${steps}`,
    title: `a run of ${steps} steps, one small call each`,
    unit: 'ms per step',
    goal: { ratio: 2.5 },
    async open() {
      const server = await startModelServer();
      const ours = await openOurs(server.baseUrl, echo);
      const model = `steps-${steps}`;
      const contender = (name: string, run: () => Promise<string>) => ({
        name,
        run: () =>
          timed(steps, async () => {
            const text = await run();
            if (text !== 'valid') throw new Error(`${name} ended with ${JSON.stringify(text)}`);
          }),
      });
      return {
        contenders: [
          contender('floor: node:http by hand', () => floorHttp(server.baseUrl, model, echo)),
          contender('fetch by hand', () => floorFetch(server.baseUrl, model, echo)),
          contender('toolwright', () => ours.run(model)),
        ],
        async close() {
          await ours.close();
          await server.close();
        },
      };
    },
  };
}
