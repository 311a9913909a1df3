// A long output is stored whole; the model gets its two ends and a path that the file tools know.
import assert from 'node:assert/strict';
import { createRuntime, defineTool } from 'toolwright';

const list = defineTool({
  name: 'list',
  description: 'Lists a lot.',
  input: { type: 'object' },
  traits: { readOnly: true },
  run: () => Array.from({ length: 10_000 }, (_, i) => `entry ${i + 1}`).join('\n'),
});

const runtime = await createRuntime({ tools: [list] });
const session = await runtime.session();
const result = await session.call('list', {});
console.log(String(result.content).slice(0, 200));
assert.ok(String(result.content).length < 4_096);
const path = result.stored?.path;
const middle = await session.call('read_file', { path, offset: 5_000, limit: 1 });
assert.match(String(middle.content), /^5000\tentry 5000\n/);
const found = await session.call('grep_files', { pattern: 'entry 7777$', path });
assert.match(String(found.content), /:7777:entry 7777/);
await runtime.close();
