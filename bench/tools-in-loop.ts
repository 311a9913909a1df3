import { floorHttp } from './floors/floor-http.ts';
import type { LoopTool } from './floors/loop.ts';
import { type Bench, timed } from './harness.ts';
import { echo } from './loop-overhead.ts';
import { openOurs } from './ours.ts';
import { startModelServer } from './start-model-server.ts';

/** W4: what a step costs when many tools are offered in every request. */
export function toolsInLoop(count: number, steps: number): Bench {
  return {
    name: `loop-tools-${count}`,
    title: `a run of ${steps} steps with ${count} tools offered`,
    unit: 'ms per step',
    goal: { value: 10 },
    async open() {
      const others = Array.from(
        { length: count - 1 },
        (_, n): LoopTool => ({
          name: `tool_${n}`,
          description: `Does thing ${n} to a file, carefully, and says what became of it.`,
          parameters: {
            type: 'object',
            properties: { path: { type: 'string' }, n: { type: 'integer' } },
            required: ['path'],
          },
          run: () => 'never called',
        }),
      );
      const server = await startModelServer();
      const ours = await openOurs(server.baseUrl, echo, others);
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
          contender('floor: node:http by hand', () => floorHttp(server.baseUrl, model, echo, others)),
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
