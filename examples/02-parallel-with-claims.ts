// Calls of one turn run side by side, save those that touch the same thing.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { createRuntime, defineTool } from 'toolwright';

const log: string[] = [];
const paint = defineTool<{ wall: string; colour: string }>({
  name: 'paint',
  description: 'Paints a wall.',
  input: { type: 'object', properties: { wall: { type: 'string' }, colour: { type: 'string' } } },
  claims: ({ wall }) => [{ key: `wall:${wall}`, mode: 'write' }],
  async run({ wall, colour }) {
    log.push(`${wall} ${colour} begins`);
    await wait(50);
    log.push(`${wall} ${colour} ends`);
    return `${wall} is ${colour}`;
  },
});

const runtime = await createRuntime({ preset: 'empty', tools: [paint] });
const session = await runtime.session({ mode: 'open' });
const prompt = ['north red', 'north blue', 'south green'].map((line) => {
  const [wall, colour] = line.split(' ');
  return `paint ${JSON.stringify({ wall, colour })}`;
});
for await (const event of session.run(prompt.join('\n'))) {
  if (event.type === 'tool_result') console.log(event.result.content);
}
assert.ok(log.indexOf('north blue begins') > log.indexOf('north red ends'), 'one wall, one after the other');
assert.ok(log.indexOf('south green begins') < log.indexOf('north red ends'), 'another wall at the same time');
await runtime.close();
