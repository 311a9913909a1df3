// Hooks see each call before and after it runs, in order; they may change what goes in and what comes out.
import assert from 'node:assert/strict';
import { createRuntime, defineTool } from 'toolwright';

const say = defineTool<{ text: string }>({
  name: 'say',
  description: 'Says something.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  traits: { readOnly: true },
  run: ({ text }) => text,
});

const runtime = await createRuntime({
  preset: 'empty',
  tools: [say],
  hooks: [
    {
      name: 'polite',
      match: 'say',
      before: ({ input }) => ({ input: { text: `${(input as { text: string }).text}, please` } }),
    },
    {
      name: 'no-shouting',
      before: ({ input }) => (JSON.stringify(input).includes('!') ? { block: 'do not shout' } : undefined),
      after: () => ({ note: 'said politely' }),
    },
    {
      name: 'echo',
      after: (_call, { content, error }) => (error ? undefined : { output: { content: `${content} ... ${content}` } }),
    },
  ],
});
const session = await runtime.session();
const quiet = await session.call('say', { text: 'tea' });
console.log(quiet.content);
assert.equal(quiet.content, 'tea, please ... tea, please\n[note] said politely');
assert.equal((await session.call('say', { text: 'TEA!' })).error?.code, 'blocked');
await runtime.close();
