// A call runs as soon as its arguments are complete, while the model still streams.
import assert from 'node:assert/strict';
import { createRuntime, defineTool } from 'toolwright';
import { startModelServer } from 'toolwright/testing';

let started: () => void = () => {};
const didStart = new Promise<void>((resolve) => {
  started = resolve;
});
const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input: { type: 'object', properties: { at: { type: 'string' } } },
  traits: { readOnly: true },
  run: () => {
    started();
    return 'seen';
  },
});

const call = { id: 'a', name: 'look', arguments: { at: 'the sky' } };
const server = await startModelServer({ script: [{ calls: [call], stall: true }, { text: 'The end.' }] });
const runtime = await createRuntime({
  preset: 'empty',
  tools: [look],
  env: { ...process.env, OPENAI_BASE_URL: server.openaiUrl, OPENAI_API_KEY: 'none' },
});
const session = await runtime.session({ model: 'openai/local' });
const run = session.run('Look.');
const reading = (async () => {
  for await (const _event of run);
})();
await didStart;
console.log('the tool runs, and the stream is still open');
server.release();
await reading;
assert.equal((await run.result).reason, 'stop');
assert.deepEqual(server.problems, [], 'the server would have accepted every request');
await runtime.close();
await server.close();
