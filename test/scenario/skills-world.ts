import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Model, type ModelEvent, type ModelRequest, textOf } from '../../src/core/index.ts';

export type Call = { readonly name: string; readonly input: unknown };
type Turn =
  | string
  | readonly Call[]
  | ((request: ModelRequest) => string | readonly Call[] | Promise<string | readonly Call[]>);

/** A model that keeps what it was asked. */
export function recording(
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

export async function put(path: string, text: string, mode = 0o644): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

export const skill = (name: string, description: string, body: string, more = '') =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n${body}\n`;

export const lastResult = (request: ModelRequest) => {
  const message = request.messages.at(-1);
  return message?.role === 'tool' ? textOf(message.content) : '';
};

export const load = (name: string, more: Record<string, unknown> = {}): Call => ({
  name: 'load_skill',
  input: { name, ...more },
});
export const resultsIn = (request: ModelRequest | undefined) =>
  (request?.messages ?? []).flatMap((message) => (message.role === 'tool' ? [textOf(message.content)] : []));
