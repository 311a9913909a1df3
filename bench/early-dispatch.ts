import { floorFetch } from './floors/floor-fetch.ts';
import { floorHttp } from './floors/floor-http.ts';
import type { LoopTool } from './floors/loop.ts';
import { type Bench, median } from './harness.ts';
import { openOurs } from './ours.ts';
import { startModelServer } from './start-model-server.ts';

/** W3: how long a call whose arguments are complete waits, while its stream stays open. */
export function earlyDispatch(calls: number, openMs: number): Bench {
  return {
    name: 'dispatch',
    title: `from a call's last argument byte to its start; the stream stays open ${openMs} ms more`,
    unit: 'ms',
    goal: { value: 5 },
    async open() {
      let delays: number[] = [];
      const stamp: LoopTool = {
        name: 'stamp',
        description: 'Notes when it was started.',
        parameters: { type: 'object', properties: { sent: { type: 'string' } }, required: ['sent'] },
        run(input) {
          delays.push(Number(process.hrtime.bigint() - BigInt(String(input['sent']))) / 1e6);
          return 'stamped';
        },
      };
      const server = await startModelServer();
      const ours = await openOurs(server.baseUrl, stamp);
      const model = `open-${calls}-${openMs}`;
      const contender = (name: string, run: () => Promise<string>) => ({
        name,
        async run() {
          delays = [];
          const text = await run();
          if (text !== 'valid' || delays.length !== calls)
            throw new Error(`${name} ended with ${JSON.stringify(text)} after ${delays.length} of ${calls} calls`);
          return { value: median(delays) };
        },
      });
      return {
        contenders: [
          contender('floor: node:http by hand', () => floorHttp(server.baseUrl, model, stamp)),
          contender('fetch by hand', () => floorFetch(server.baseUrl, model, stamp)),
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
