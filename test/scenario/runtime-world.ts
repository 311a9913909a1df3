import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Model, ModelEvent } from '../../src/core/index.ts';
import { createRuntime, type Runtime, type RuntimeOptions } from '../../src/runtime/index.ts';

export interface World {
  readonly project: string;
  readonly home: string;
  readonly env: Record<string, string>;
  /** A runtime on this world's folders; closed with the world. */
  runtime(options?: RuntimeOptions): Promise<Runtime>;
}

/** A project and a home of their own, removed afterwards. */
export async function inWorld(body: (world: World) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'world-')));
  const [project, home] = [join(folder, 'project'), join(folder, 'home')];
  await mkdir(project);
  await mkdir(home);
  const env = { TOOLWRIGHT_HOME: home, PATH: process.env['PATH'] ?? '' };
  const runtimes: Runtime[] = [];
  try {
    await body({
      project,
      home,
      env,
      async runtime(options = {}) {
        const made = await createRuntime({ cwd: project, env, ...options });
        runtimes.push(made);
        return made;
      },
    });
  } finally {
    await Promise.all(runtimes.map((runtime) => runtime.close()));
    await rm(folder, { recursive: true, force: true });
  }
}

type Turn = string | readonly { readonly name: string; readonly input: unknown; readonly id?: string }[];

/** A model that answers with these turns, in order: text, or calls. */
export function scripted(...turns: readonly Turn[]): Model & { readonly requests: number } {
  let requests = 0;
  return {
    id: 'test/scripted',
    get requests() {
      return requests;
    },
    async *stream(): AsyncGenerator<ModelEvent> {
      const turn = turns[requests++] ?? 'nothing more';
      if (typeof turn === 'string') {
        yield { type: 'text_delta', text: turn };
        yield { type: 'model_end', reason: 'stop', usage: { inputTokens: 10, outputTokens: 1 } };
        return;
      }
      for (const [key, call] of turn.entries()) {
        yield { type: 'tool_call_start', key, id: call.id ?? `call_${requests}_${key}`, name: call.name };
        yield { type: 'tool_call_delta', key, text: JSON.stringify(call.input) };
      }
      yield { type: 'model_end', reason: 'tool_calls', usage: { inputTokens: 10, outputTokens: 5 } };
    },
  };
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
