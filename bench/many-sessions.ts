import { floorFetch } from './floors/floor-fetch.ts';
import { floorHttp } from './floors/floor-http.ts';
import { type Bench, timed } from './harness.ts';
import { echo } from './loop-overhead.ts';
import { openOurs } from './ours.ts';
import { startModelServer } from './start-model-server.ts';

/** W5: many sessions at once, a few steps each. */
export function manySessions(count: number, steps: number): Bench {
  return {
    name: 'sessions',
    title: `${count} sessions at once, ${steps} steps each`,
    unit: 'ms in all',
    goal: { ratio: 2 },
    async open() {
      const server = await startModelServer();
      const ours = await openOurs(server.baseUrl, echo);
      const model = `steps-${steps}`;
      const contender = (name: string, run: () => Promise<string>) => ({
        name,
        run: () =>
          timed(1, async () => {
            const texts = await Promise.all(Array.from({ length: count }, run));
            if (texts.some((text) => text !== 'valid')) throw new Error(`${name}: ${JSON.stringify(texts)}`);
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
