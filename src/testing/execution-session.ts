import {
  type ExecutionSession,
  type Policy,
  type Roots,
  type Sandbox,
  systemClock,
  type Tool,
  type ToolSet,
  ToolwrightError,
} from '../core/index.ts';
import { createReadState } from '../executor/index.ts';
import { toJsonSchema } from '../schema/index.ts';
import { createMemoryOutputs } from './memory-outputs.ts';

/** A plain set of tools, all of them offered. */
function toolSet(tools: readonly Tool[]): ToolSet & { offers(name: string): boolean } {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    for (const alias of tool.aliases ?? []) byName.set(alias.name, tool);
    byName.set(tool.name, tool);
  }
  const names = tools.map((tool) => tool.name).sort();
  return {
    get: (name) => byName.get(name),
    canonical: (name) => byName.get(name)?.name,
    names: () => names,
    offers: () => true,
    definitions: () =>
      names.map((name) => {
        const tool = byName.get(name) as Tool;
        const description = typeof tool.description === 'string' ? tool.description : name;
        return { name, description, inputSchema: toJsonSchema(tool.input) };
      }),
  };
}

/** Lets everything run. */
const openPolicy: Policy = {
  mode: 'open',
  decide: () => ({ effect: 'allow', reason: 'everything is allowed', layer: 'mode' }),
};

const absent = (what: string) => (): never => {
  throw new ToolwrightError('unavailable', `this test session has no ${what}`);
};

/** A session with no files and no commands, for tests of the executor itself. */
export function createExecutionSession(
  tools: readonly Tool[],
  overrides: Partial<ExecutionSession> = {},
): ExecutionSession {
  const roots: Roots = { cwd: '/', list: [], resolve: async () => absent('roots')(), display: (path) => path };
  return {
    info: { id: 'test', agentName: 'main', interactive: false, thinking: false },
    step: 1,
    tools: toolSet(tools),
    signal: new AbortController().signal,
    policy: openPolicy,
    context: {
      roots,
      sandbox: { stat: absent('sandbox') } as unknown as Sandbox,
      files: createReadState(),
      outputs: createMemoryOutputs(),
      fetch: absent('network') as unknown as typeof fetch,
      log: () => {},
      clock: systemClock,
    },
    ...overrides,
  };
}
