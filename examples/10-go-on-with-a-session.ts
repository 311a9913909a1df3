// What was said and done is kept; another runtime goes on with it.
import assert from 'node:assert/strict';
import { createRuntime, defineTool } from 'toolwright';

const note = defineTool<{ text: string }>({
  name: 'note',
  description: 'Notes something.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: ({ text }) => `noted: ${text}`,
});
const options = { preset: 'empty' as const, tools: [note] };

const first = await createRuntime(options);
const before = await first.session({ mode: 'open' });
for await (const _event of before.run('note {"text": "milk"}'));
await first.close();

const second = await createRuntime(options);
const after = await second.session({ id: before.id, mode: 'open' });
console.log(await after.resume());
for await (const _event of after.run('note {"text": "bread"}'));
const texts = (await after.messages()).flatMap((message) => (message.role === 'tool' ? [message.content] : []));
console.log(texts);
assert.deepEqual(texts, ['noted: milk', 'noted: bread']);
await second.close();
