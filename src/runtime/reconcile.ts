import { type Clock, type FactsContext, type ToolSet, ToolwrightError } from '../core/index.ts';
import type { Reconcile } from './recover.ts';

/** Longest time for a tool to find out about one call. */
const RECONCILE_MS = 10_000;

/** Asks a call's own tool what became of it; undefined when the tool has gone or has no way to know. */
export function createReconcile(tools: ToolSet, context: FactsContext, clock: Clock): Reconcile {
  return async ({ name, input }) => {
    const tool = tools.get(name);
    if (!tool?.reconcile) return undefined;
    const asked = tool.reconcile(input, context);
    return new Promise((resolve, reject) => {
      const late = () => reject(new ToolwrightError('timeout', `${name} did not say within ${RECONCILE_MS} ms`));
      const timer = clock.after(RECONCILE_MS, late);
      asked.then(resolve, reject).finally(() => clock.clear(timer));
    });
  };
}
