// A cancel reaches tools that can be stopped; every call still gets its one result.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { createRuntime, defineTool } from 'toolwright';

const quick = defineTool({
  name: 'quick',
  description: 'Is done at once.',
  input: { type: 'object' },
  traits: { readOnly: true },
  run: () => 'done',
});
const slow = defineTool({
  name: 'slow',
  description: 'Takes long and does not listen.',
  input: { type: 'object' },
  traits: { readOnly: true },
  run: () => wait(2_000, 'too late', { ref: false }),
});

const runtime = await createRuntime({ preset: 'empty', tools: [quick, slow] });
const session = await runtime.session();
const began = Date.now();
const results: (string | undefined)[] = [];
for await (const event of session.run('quick {}\nslow {}')) {
  if (event.type === 'tool_result') {
    results.push(event.result.error?.code ?? 'ok');
    if (event.result.name === 'quick') session.cancel();
  }
  if (event.type === 'run_end') console.log(event.reason, `after ${Date.now() - began} ms`);
}
assert.deepEqual(results, ['ok', 'cancelled']);
assert.ok(Date.now() - began < 1_500);
await runtime.close();
