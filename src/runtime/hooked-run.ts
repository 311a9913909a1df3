import type { LoopEnd } from '../agent/index.ts';
import { type Content, type NewId, textOf, type UserMessage } from '../core/index.ts';
import type { SessionHooks } from './session-hooks.ts';

/** How often hooks may keep one run from ending. */
const MOST_REFUSALS = 3;

/** What hooks make of a person's message: the message as the model gets it, or why it is not taken. */
export async function hookedInput(
  hooks: SessionHooks,
  input: Content,
  signal: AbortSignal,
): Promise<{ readonly content: Content } | { readonly refused: string }> {
  const start = await hooks.start(signal);
  const prompt = start.stop === undefined ? await hooks.prompt(textOf(input), signal) : start;
  const block = prompt.block;
  if (block !== undefined) return { refused: `the hook ${block.hook} did not take the message: ${block.reason}` };
  const context = [...start.context, ...(prompt === start ? [] : prompt.context)];
  if (context.length === 0) return { content: input };
  const text = `<hook-context>\n${context.join('\n')}\n</hook-context>`;
  return {
    content: typeof input === 'string' ? `${input}\n\n${text}` : [...input, { type: 'text', text }],
  };
}

/** Runs the loop until hooks let it end; each refusal is a message to the model, three of them at the most. */
export async function hookedLoop(options: {
  readonly hooks: SessionHooks;
  readonly run: (again: boolean) => Promise<LoopEnd>;
  readonly put: (message: UserMessage) => Promise<void>;
  readonly newId: NewId;
  readonly signal: AbortSignal;
}): Promise<LoopEnd> {
  const { hooks, run, put, newId, signal } = options;
  let total = await run(false);
  for (let refusals = 0; total.reason === 'stop' && refusals < MOST_REFUSALS && !signal.aborted; refusals++) {
    const { block, stop } = await hooks.stop(refusals > 0, signal);
    if (block === undefined || stop !== undefined) break;
    const content = `The hook ${block.hook} does not let you stop yet: ${block.reason}`;
    await put({ id: newId(), role: 'user', content, metadata: { source: 'stop_hook' } });
    const next = await run(true);
    total = { ...next, steps: total.steps + next.steps, usage: sumUsage(total.usage, next.usage) };
  }
  return total;
}

export function sumUsage(a: LoopEnd['usage'], b: LoopEnd['usage']): LoopEnd['usage'] {
  const total: Record<string, number> = { ...a } as Record<string, number>;
  for (const [key, value] of Object.entries(b)) if (typeof value === 'number') total[key] = (total[key] ?? 0) + value;
  return total;
}
