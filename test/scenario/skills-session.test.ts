import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Model, ModelEvent, ModelRequest } from '../../src/core/index.ts';
import { textOf } from '../../src/core/index.ts';
import { verifies } from '../verifies.ts';
import { inWorld } from './runtime-world.ts';

type Call = { readonly name: string; readonly input: unknown };
type Turn =
  | string
  | readonly Call[]
  | ((request: ModelRequest) => string | readonly Call[] | Promise<string | readonly Call[]>);

/** A model that keeps what it was asked. */
function recording(
  ...turns: readonly Turn[]
): Model & { readonly systems: string[]; readonly requests: ModelRequest[] } {
  const systems: string[] = [];
  const requests: ModelRequest[] = [];
  return {
    id: 'test/recording',
    systems,
    requests,
    async *stream(request): AsyncGenerator<ModelEvent> {
      const index = requests.length;
      requests.push({ ...request, messages: [...request.messages] });
      systems.push(request.system ?? '');
      const turn = turns[index] ?? 'done';
      const answer = typeof turn === 'function' ? await turn(request) : turn;
      if (typeof answer === 'string') {
        yield { type: 'text_delta', text: answer };
        yield { type: 'model_end', reason: 'stop' };
        return;
      }
      for (const [key, call] of answer.entries()) {
        yield { type: 'tool_call_start', key, id: `call_${index}_${key}`, name: call.name };
        yield { type: 'tool_call_delta', key, text: JSON.stringify(call.input) };
      }
      yield { type: 'model_end', reason: 'tool_calls' };
    },
  };
}

async function put(path: string, text: string, mode = 0o644): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

const skill = (name: string, description: string, body: string, more = '') =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n${body}\n`;

const lastResult = (request: ModelRequest) => {
  const message = request.messages.at(-1);
  return message?.role === 'tool' ? textOf(message.content) : '';
};

verifies('skills/load', 'a skill of the home is listed, loaded, and its script runs from its copy', () =>
  inWorld(async ({ home, runtime }) => {
    await put(join(home, 'skills/greet/SKILL.md'), skill('greet', 'Greets people.', 'Run scripts/hello.sh NAME.'));
    await put(join(home, 'skills/greet/scripts/hello.sh'), '#!/bin/sh\necho "hello $1"\n', 0o755);
    let folder = '';
    const model = recording(
      [{ name: 'load_skill', input: { name: 'greet' } }],
      (request) => {
        folder = /Folder of this skill: (\S+)/.exec(lastResult(request))?.[1] ?? '';
        return [{ name: 'run_bash', input: { command: `${folder}/scripts/hello.sh world` } }];
      },
      'done',
    );
    const session = await (await runtime()).session({ model, mode: 'open' });
    await session.run('Greet the world.').result;
    expect(model.systems[0]).toContain('- greet: Greets people.');
    const loaded = textOf(model.requests[1]?.messages.at(-1)?.content ?? '');
    expect(loaded).toMatch(/^<skill_content name="greet">\nRun scripts\/hello\.sh NAME\.\n/);
    expect(loaded).toContain('<skill_resources>\nscripts/hello.sh\n</skill_resources>');
    expect(lastResult(model.requests[2] as ModelRequest)).toContain('hello world');
    expect((await stat(join(folder, 'scripts/hello.sh'))).mode & 0o111).not.toBe(0);
    expect(await readFile(join(folder, 'SKILL.md'), 'utf8')).toContain('Greets people.');
    await session.close();
    await expect(stat(folder)).rejects.toThrow();
    await expect(stat(join(home, 'sessions'))).rejects.toThrow();
  }),
);
