// With nobody to ask, what may change something is refused until it is allowed.
import assert from 'node:assert/strict';
import { createRuntime, defineTool } from 'toolwright';

const launch = defineTool({
  name: 'launch',
  description: 'Launches.',
  input: { type: 'object' },
  run: () => 'launched',
});

const runtime = await createRuntime({ preset: 'empty', tools: [launch] });
const careful = await (await runtime.session()).call('launch', {});
console.log(careful.content);
assert.equal(careful.error?.code, 'denied');

const granted = await (await runtime.session({ allow: ['launch'] })).call('launch', {});
assert.equal(granted.content, 'launched');

const forbidden = await (await runtime.session({ allow: ['launch'], denyRules: ['launch'] })).call('launch', {});
assert.equal(forbidden.error?.code, 'denied');
await runtime.close();
