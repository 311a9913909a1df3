import { type RawToolCall, randomId, systemClock, type Tool, type ToolResult, textOf } from '../core/index.ts';
import { createExecutor } from '../executor/index.ts';
import { createExecutionSession } from './execution-session.ts';
import { createToolContext, type TestToolContext, type ToolContextOptions } from './tool-context.ts';

export interface ToolRun extends ToolResult {
  /** The text for the model. */
  readonly text: string;
}

export interface ToolRunner {
  readonly context: TestToolContext;
  /** One call through the whole executor. */
  run(name: string, input: unknown): Promise<ToolRun>;
  /** Calls of one turn, issued together. */
  batch(calls: readonly (readonly [name: string, input: unknown])[]): Promise<readonly ToolRun[]>;
}

/** Runs tools as a session would, on real files, with every call allowed and no model. */
export function createToolRunner(tools: readonly Tool[], options: ToolContextOptions): ToolRunner {
  const context = createToolContext(options);
  const { sandbox, roots, files, outputs, fetch, log, clock } = context;
  const executor = createExecutor({ clock: options.clock ?? systemClock, newId: options.newId ?? randomId });
  const session = createExecutionSession(tools, {
    context: {
      sandbox,
      roots,
      files,
      outputs,
      fetch,
      log,
      clock,
      ...(options.tasks === undefined ? {} : { tasks: options.tasks }),
    },
    emit: (event) => {
      if (event.type === 'tool_progress' && event.text !== '') context.progress(event.text, event.stream);
    },
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  let count = 0;
  const batch: ToolRunner['batch'] = async (calls) => {
    const raw = calls.map(
      ([name, input]): RawToolCall => ({ id: `call-${++count}`, name, arguments: JSON.stringify(input) }),
    );
    const results = await executor.execute(raw, session).results;
    return results.map((result) => ({ ...result, text: textOf(result.content) }));
  };
  return { context, batch, run: async (name, input) => (await batch([[name, input]]))[0] as ToolRun };
}
