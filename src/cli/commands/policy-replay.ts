import { resolve } from 'node:path';
import { createRuntime, type PolicyChange } from '../../runtime/index.ts';
import { toollessOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { createStyle, harmless, oneLine } from '../render/style.ts';

/** What other rules would have said to the calls that are kept. */
export async function policyReplay(io: Io, flags: RuntimeFlags, rulesFile: string): Promise<number> {
  const runtime = await createRuntime(toollessOptions(flags));
  try {
    const { calls, changed, changes } = await runtime.replayPolicy(resolve(rulesFile));
    if (flags.json === true) {
      await io.out(`${JSON.stringify({ calls, changed, changes: changes.map(toJson) })}\n`);
      return 0;
    }
    const style = createStyle(io.hasColor);
    const lines = [`${changed} of ${calls} calls would fare differently.`];
    for (const { name, was, would, rule, reason, count, examples } of changes) {
      const verdict =
        was === 'ran' ? (would === 'ask' ? 'ran, would be asked for' : 'ran, would be denied') : 'denied, would run';
      lines.push(`${String(count).padStart(6)}  ${harmless(name)}: ${verdict} (${harmless(rule ?? reason)})`);
      for (const { sessionId, input } of examples) {
        const text = oneLine(`${sessionId}  ${JSON.stringify(input)}`, Math.max(20, io.columns - 8));
        lines.push(style.dim(`        ${text}`));
      }
    }
    await io.out(`${lines.join('\n')}\n`);
    return 0;
  } finally {
    await runtime.close();
  }
}

function toJson({ examples, ...change }: PolicyChange): Record<string, unknown> {
  return {
    ...change,
    examples: examples.map(({ sessionId, callId, input }) => ({ session_id: sessionId, call_id: callId, input })),
  };
}
