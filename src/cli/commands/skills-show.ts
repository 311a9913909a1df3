import { ToolwrightError } from '../../core/index.ts';
import { createRuntime, type SkillEntry } from '../../runtime/index.ts';
import { nearNames } from '../../schema/index.ts';
import { toollessOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { diagnosticLine } from '../render/diagnostic-line.ts';
import { createStyle, harmless } from '../render/style.ts';

export async function skillsShow(io: Io, flags: RuntimeFlags, name: string): Promise<number> {
  const runtime = await createRuntime(toollessOptions(flags));
  try {
    const entries = await runtime.skills.list();
    const standing = runtime.skills.catalog.get(name);
    const entry =
      entries.find(({ skill }) => skill !== undefined && skill === standing) ??
      entries.find((each) => each.name === name);
    if (entry === undefined) throw unknown(name, entries);
    const { skill } = entry;
    const text = skill === undefined ? '' : await runtime.skills.text(skill);
    if (flags.json === true) {
      const { priority: _, skill: __, ...facts } = entry;
      await io.out(`${JSON.stringify({ ...facts, ...skill, text })}\n`);
      return 0;
    }
    const style = createStyle(io.hasColor);
    const rows = [
      `${style.bold(harmless(entry.name))}  ${style.dim(`${entry.status}, from ${entry.source}: ${entry.path}`)}`,
      harmless(entry.description),
      ...(skill?.activation === undefined ? [] : [`${style.bold('when:')} ${harmless(skill.activation)}`]),
      ...(skill?.allowedTools.length
        ? [`${style.bold('needs no asking for:')} ${harmless(skill.allowedTools.join(', '))}`]
        : []),
      ...(skill?.restrictTools === undefined
        ? []
        : [`${style.bold('uses only:')} ${harmless(skill.restrictTools.join(', '))}`]),
      ...entry.diagnostics.map((each) => style.yellow(diagnosticLine(each))),
      '',
      harmless(text),
    ];
    await io.out(`${rows.join('\n')}\n`);
    return 0;
  } finally {
    await runtime.close();
  }
}

function unknown(name: string, entries: readonly SkillEntry[]): ToolwrightError {
  const near = nearNames(name, [...new Set(entries.map((entry) => entry.name))]);
  return new ToolwrightError('not_found', `there is no skill named ${name}`, {
    hint:
      near.length > 0 ? `Did you mean ${near.join(' or ')}?` : '`toolwright skills list` shows those that there are.',
  });
}
