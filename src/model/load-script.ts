import { readFile } from 'node:fs/promises';
import { messageOf, ToolwrightError } from '../core/index.ts';
import type { ScriptedStep } from './scripted.ts';

export interface LoadedScript {
  readonly id: string;
  readonly strict: boolean;
  readonly steps: readonly ScriptedStep[];
}

/**
 * Reads a script for the scripted model: YAML or JSON, a list of steps or `{id?, strict?, steps}`.
 * What is wrong in it is told with file, line and place.
 */
export async function loadScript(file: string): Promise<LoadedScript> {
  const hint =
    'a script is a list of steps such as `- text: hello` or `- calls: [{name: read_file, arguments: {path: a}}]`';
  const fail = (message: string) => new ToolwrightError('invalid_request', message, { hint });
  let source: string;
  try {
    source = await readFile(file, 'utf8');
  } catch (error) {
    throw fail(`the script ${file} cannot be read: ${messageOf(error)}`);
  }
  const { LineCounter, parseDocument } = await import('yaml');
  const { scriptSchema } = await import('./script-schema.ts');
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken) throw fail(`${file}:${lines.linePos(broken.pos[0]).line}: ${broken.message}`);
  const parsed = scriptSchema.safeParse(document.toJS({ maxAliasCount: 100 }));
  if (!parsed.success) {
    const lineOf = (path: readonly PropertyKey[]): number => {
      for (let length = path.length; length > 0; length--) {
        const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
        if (node?.range) return lines.linePos(node.range[0]).line;
      }
      return 1;
    };
    const told = parsed.error.issues.slice(0, 5).map((issue) => {
      const place = issue.path.map(String).join('.');
      return `${file}:${lineOf(issue.path)}: ${place === '' ? '' : `${place}: `}${issue.message}`;
    });
    throw fail(told.join('\n'));
  }
  const script = Array.isArray(parsed.data) ? { steps: parsed.data } : parsed.data;
  return {
    id: ('id' in script ? script.id : undefined) ?? `script:${file}`,
    strict: ('strict' in script ? script.strict : undefined) ?? true,
    steps: script.steps as readonly ScriptedStep[],
  };
}
