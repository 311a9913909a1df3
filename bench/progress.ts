import { defineTool } from 'toolwright';
import type { Bench } from './harness.ts';
import { withSession } from './local-session.ts';

const CHUNKS = 200_000;
const CHUNK = '0123456789 abcd\n';

async function* chunks(): AsyncGenerator<string, string, void> {
  for (let i = 0; i < CHUNKS; i++) yield CHUNK;
  return 'done';
}

/** W9: live output in small pieces. `gap`: the longest time in which the event loop got no turn. */
export function progress(what: 'time' | 'gap'): Bench {
  return {
    name: what === 'time' ? 'progress' : 'progress-gap',
    title:
      what === 'time'
        ? `${CHUNKS} pieces of live output, all of them read`
        : `longest gap of the event loop while ${CHUNKS} pieces are shown`,
    unit: 'ms',
    goal: { value: what === 'time' ? CHUNKS / 800 : 20 },
    async open() {
      const flood = defineTool({
        name: 'flood',
        description: 'Says a lot.',
        input: { type: 'object' },
        traits: { readOnly: true },
        run: () => chunks(),
      });
      const measured = async (work: () => Promise<number>) => {
        let gap = 0;
        let last = performance.now();
        const timer = setInterval(() => {
          const now = performance.now();
          gap = Math.max(gap, now - last);
          last = now;
        }, 1);
        const length = await work();
        clearInterval(timer);
        if (length !== CHUNKS * CHUNK.length) throw new Error(`${length} characters came`);
        return gap;
      };
      const byHand = async () => {
        const began = performance.now();
        let time = 0;
        const gap = await measured(async () => {
          let length = 0;
          let count = 0;
          for await (const chunk of chunks()) {
            length += chunk.length;
            if (++count % 5_000 === 0) await new Promise<void>((resolve) => setImmediate(resolve));
          }
          time = performance.now() - began;
          return length;
        });
        return { value: what === 'time' ? time : gap };
      };
      const ours = () =>
        withSession([flood], [{ name: 'flood', arguments: {} }], async (session) => {
          let first = 0;
          let time = 0;
          const gap = await measured(async () => {
            let length = 0;
            for await (const events of session.run('go').batches()) {
              for (const event of events) {
                if (event.type === 'tool_call') first = performance.now();
                if (event.type === 'tool_progress') length += event.text.length;
                if (event.type === 'tool_progress' && event.closed) time = performance.now() - first;
              }
            }
            return length;
          });
          return { value: what === 'time' ? time : gap };
        });
      return {
        contenders: [
          { name: 'floor: the generator by hand', run: byHand },
          { name: 'toolwright', run: ours },
        ],
        close: async () => {},
      };
    },
  };
}
