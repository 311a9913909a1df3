// One tool, run through the whole executor without a model.
import assert from 'node:assert/strict';
import { createRuntime, defineTool } from 'toolwright';

const greet = defineTool<{ name: string }>({
  name: 'greet',
  description: 'Greets somebody.',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  traits: { readOnly: true },
  run: ({ name }) => `Hello, ${name}!`,
});

const runtime = await createRuntime({ preset: 'empty', tools: [greet] });
const session = await runtime.session();
const result = await session.call('greet', { name: 'Ada' });
console.log(result.content);
assert.equal(result.content, 'Hello, Ada!');

const wrong = await session.call('greet', { nam: 'Ada' });
console.log(wrong.content);
assert.equal(wrong.error?.code, 'invalid_input');
await runtime.close();
