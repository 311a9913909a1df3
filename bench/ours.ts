import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRuntime, defineTool } from 'toolwright';
import type { LoopTool } from './floors/loop.ts';

export interface Ours {
  run(model: string): Promise<string>;
  close(): Promise<void>;
}

/** The whole house as a user gets it: validation, policy, journal and SQLite on disk. Every event of a run is read. */
export async function openOurs(baseUrl: string, called: LoopTool, others: readonly LoopTool[] = []): Promise<Ours> {
  const home = await mkdtemp(join(tmpdir(), 'toolwright-bench-'));
  const tools = [called, ...others].map(({ name, description, parameters, run }) =>
    defineTool({
      name,
      description,
      input: { ...parameters },
      traits: { readOnly: true },
      claims: () => [],
      run: (input) => run(input),
    }),
  );
  const env = { TOOLWRIGHT_HOME: home, OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: 'bench' };
  const runtime = await createRuntime({ cwd: home, env, preset: 'empty', tools });
  return {
    async run(model) {
      const session = await runtime.session({ model: `openai/${model}`, maxSteps: 1_000 });
      const started = session.run('go');
      for await (const _events of started.batches());
      const { reason, text, error } = await started.result;
      if (reason !== 'stop') throw new Error(`the run ended with ${reason}: ${error?.message}`);
      await session.close();
      return text;
    },
    async close() {
      await runtime.close();
      await rm(home, { recursive: true });
    },
  };
}
