// A scripted model drives a whole session; it fails on what it did not expect.
import assert from 'node:assert/strict';
import { createRuntime, defineTool } from 'toolwright';
import { createScriptedModel } from 'toolwright/testing';

const add = defineTool<{ a: number; b: number }>({
  name: 'add',
  description: 'Adds.',
  input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  traits: { readOnly: true },
  run: ({ a, b }) => a + b,
});

const model = createScriptedModel([{ calls: [{ name: 'add', arguments: { a: 2, b: 40 } }] }, { text: 'It is 42.' }]);
const runtime = await createRuntime({ preset: 'empty', tools: [add] });
const session = await runtime.session({ model });
const run = session.run('What is 2 + 40?');
for await (const _event of run);
const { reason, steps } = await run.result;
const messages = await session.messages();
console.log(messages.map((message) => `${message.role}: ${JSON.stringify(message.content)}`).join('\n'));
assert.deepEqual([reason, steps], ['stop', 2]);
assert.deepEqual(
  messages.map((message) => message.role),
  ['user', 'assistant', 'tool', 'assistant'],
);
model.assertDone();
await runtime.close();
