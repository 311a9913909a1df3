import { createMemoryStore, createRuntime } from '../../runtime/index.ts';
import { runtimeOptions, sessionOptions } from '../flag-options.ts';
import type { RuleFlags, ToolFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { createStyle, harmless } from '../render/style.ts';

/** What would become of one call, and what each rule says of it. Nothing runs. */
export async function policyExplain(
  io: Io,
  flags: ToolFlags & RuleFlags,
  name: string,
  input: string | undefined,
): Promise<number> {
  const options = sessionOptions(flags);
  const runtime = await createRuntime({ ...runtimeOptions(flags), store: createMemoryStore() });
  try {
    for (const warning of runtime.warnings) io.err(`toolwright: ${warning}\n`);
    const session = await runtime.session(options);
    const { decision, rules, suggestions } = await session.explain(name, input ?? '');
    const { effect, reason, rule, layer } = decision;
    if (flags.json === true) {
      await io.out(`${JSON.stringify({ effect, reason, ...(rule === undefined ? {} : { rule }), layer })}\n`);
      return 0;
    }
    const style = createStyle(io.hasColor);
    const colour = { allow: style.green, ask: style.yellow, deny: style.red }[effect];
    const lines = [`${colour(effect)}  ${harmless(reason)}  ${style.dim(`(${layer})`)}`];
    for (const each of rules) {
      const place = each.layer === 'rules' || each.layer === 'grant' ? '' : `, ${each.layer}`;
      lines.push(`  ${each.fits ? '+' : '-'} ${each.effect}${place}  ${harmless(each.rule)}: ${harmless(each.why)}`);
    }
    const ways = effect === 'ask' ? suggestions.flatMap((each) => (each.rule === undefined ? [] : [each])) : [];
    if (ways.length > 0) lines.push('It would be allowed by');
    for (const way of ways) {
      const more = way.allows === '' ? '' : `: ${way.allows}`;
      lines.push(`  ${harmless(way.rule ?? '')}${harmless(more)}`);
    }
    await io.out(`${lines.join('\n')}\n`);
    return 0;
  } finally {
    await runtime.close();
  }
}
