import { floorHttp } from './floors/floor-http.ts';
import type { LoopTool } from './floors/loop.ts';
import { type Bench, timed } from './harness.ts';
import { openOurs } from './ours.ts';
import { startModelServer } from './start-model-server.ts';

/** W10: one long argument in small pieces. */
export function bigArgument(kilobytes: number): Bench {
  return {
    name: 'argument',
    title: `one argument of ${kilobytes} kB in pieces of 16 characters`,
    unit: 'ms',
    goal: { value: 170 },
    async open() {
      let length = 0;
      const take: LoopTool = {
        name: 'take',
        description: 'Takes a text.',
        parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
        run(input) {
          length = String(input['text']).length;
          return 'taken';
        },
      };
      const server = await startModelServer();
      const ours = await openOurs(server.baseUrl, take);
      const contender = (name: string, run: () => Promise<string>) => ({
        name,
        run: () =>
          timed(1, async () => {
            length = 0;
            const text = await run();
            if (text !== 'valid' || length !== kilobytes * 1_000)
              throw new Error(`${name}: ${text}, ${length} characters`);
          }),
      });
      return {
        contenders: [
          contender('floor: node:http by hand', () => floorHttp(server.baseUrl, `big-${kilobytes}`, take)),
          contender('toolwright', () => ours.run(`big-${kilobytes}`)),
        ],
        async close() {
          await ours.close();
          await server.close();
        },
      };
    },
  };
}
