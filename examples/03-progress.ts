// Live output: a generator yields it, and any function below a tool can emit it.
import assert from 'node:assert/strict';
import { createRuntime, defineTool } from 'toolwright';
import { emitToolProgress } from 'toolwright/progress';

async function deepInside(step: number): Promise<void> {
  emitToolProgress(`working on ${step}\n`, 'info');
}

const count = defineTool<{ to: number }>({
  name: 'count',
  description: 'Counts.',
  input: { type: 'object', properties: { to: { type: 'integer' } }, required: ['to'] },
  traits: { readOnly: true },
  async *run({ to }) {
    for (let i = 1; i <= to; i++) {
      await deepInside(i);
      yield `${i}\n`;
    }
    return `counted to ${to}`;
  },
});

const runtime = await createRuntime({ preset: 'empty', tools: [count] });
const session = await runtime.session();
let shown = '';
for await (const event of session.run('count {"to": 3}')) {
  if (event.type === 'tool_progress') shown += event.text;
}
console.log(shown);
assert.ok(shown.includes('1\n2\n3\n') && shown.includes('working on 3'));
const messages = await session.messages();
assert.ok(!JSON.stringify(messages).includes('working on'), 'progress is never kept');
await runtime.close();
