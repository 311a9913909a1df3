import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRuntime, type Session, type Tool } from 'toolwright';
import { createScriptedModel } from 'toolwright/testing';

type Calls = readonly { readonly name: string; readonly arguments: object }[];

/** A session whose model makes these calls in its first turn and then ends; everything else is the real house. */
export async function withSession<Value>(
  tools: readonly Tool[],
  calls: Calls,
  body: (session: Session) => Promise<Value>,
): Promise<Value> {
  const home = await mkdtemp(join(tmpdir(), 'toolwright-bench-'));
  const runtime = await createRuntime({ cwd: home, env: { TOOLWRIGHT_HOME: home }, preset: 'empty', tools });
  try {
    return await body(await runtime.session({ model: createScriptedModel([{ calls: [...calls] }, { text: 'end' }]) }));
  } finally {
    await runtime.close();
    await rm(home, { recursive: true });
  }
}
