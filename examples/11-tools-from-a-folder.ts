// Every tool that the modules of a folder export; what cannot be loaded is said, and the rest stands.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRuntime } from 'toolwright';

const folder = await mkdtemp(join(tmpdir(), 'toolwright-tools-'));
try {
  await writeFile(
    join(folder, 'text.mjs'),
    `const input = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
     const traits = { readOnly: true };
     export const shout = { name: 'shout', description: 'Louder.', input, traits, run: ({ text }) => text.toUpperCase() };
     export const count = { name: 'count', description: 'Counts.', input, traits, run: ({ text }) => text.length };`,
  );
  await writeFile(join(folder, 'broken.mjs'), 'export const tool = ;');

  const runtime = await createRuntime({ preset: 'empty', toolsDirs: [folder] });
  console.log(runtime.registry.names(), runtime.warnings);
  assert.deepEqual(runtime.registry.names(), ['count', 'shout']);
  assert.match(runtime.warnings.join(), /broken\.mjs were left out/);

  const session = await runtime.session();
  assert.equal((await session.call('shout', { text: 'hello' })).content, 'HELLO');
  await runtime.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
