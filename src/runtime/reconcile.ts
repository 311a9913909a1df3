import {
  type Clock,
  cutEnd,
  type FactsContext,
  isToolOutput,
  type Masker,
  type ToolOutput,
  type ToolSet,
  ToolwrightError,
} from '../core/index.ts';
import type { Reconcile } from './recover.ts';

/** Longest time for a tool to find out about one call. */
const RECONCILE_MS = 10_000;
/** Longest text that is taken of what it found out. */
const MAX_CHARS = 4_000;

export interface ReconcileOptions {
  readonly tools: ToolSet;
  readonly context: FactsContext;
  readonly masker: Masker;
  readonly clock: Clock;
}

/** Asks a call's own tool what became of it; undefined when the tool has gone or has no way to know. */
export function createReconcile({ tools, context, masker, clock }: ReconcileOptions): Reconcile {
  const safe = (text: string) => cutEnd(masker.mask(text), MAX_CHARS);
  return async ({ name, input }) => {
    const tool = tools.get(name);
    if (!tool?.reconcile) return undefined;
    const asked = Promise.resolve(tool.reconcile(input, context));
    const answer = await new Promise<ToolOutput | undefined>((resolve, reject) => {
      const late = () => reject(new ToolwrightError('timeout', `${name} did not say within ${RECONCILE_MS} ms`));
      const timer = clock.after(RECONCILE_MS, late);
      asked.then(resolve, reject).finally(() => clock.clear(timer));
    });
    if (!isToolOutput(answer) || answer.content.length === 0) return undefined;
    const { content } = answer;
    if (typeof content === 'string') return { ...answer, content: safe(content) };
    return {
      ...answer,
      content: content.map((part) => (part.type === 'text' ? { ...part, text: safe(part.text) } : part)),
    };
  };
}
