import { createRuntime, type Runtime, type SkillEntry } from '../../runtime/index.ts';
import { toollessOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { diagnosticLine } from '../render/diagnostic-line.ts';
import { createStyle, oneLine } from '../render/style.ts';

/** Diagnostics of one skill that are shown; `skills validate` shows all. */
const MOST_SHOWN = 3;

export async function skillsList(io: Io, flags: RuntimeFlags): Promise<number> {
  const runtime = await createRuntime(toollessOptions(flags));
  try {
    for (const warning of runtime.warnings) io.err(`toolwright: ${warning}\n`);
    let entries = await runtime.skills.list();
    if (flags.json === true) {
      await io.out(`${JSON.stringify(entries.map(toJson))}\n`);
      return 0;
    }
    if (await offerTrust(io, runtime, entries)) entries = await runtime.skills.list();
    await io.out(shown(entries, io) || 'There are no skills here.\n');
    if (entries.some(({ status }) => status === 'untrusted') && !io.isInteractive) {
      io.err("toolwright: this project's skills are not used until it is trusted (--trust-project)\n");
    }
    return 0;
  } finally {
    await runtime.close();
  }
}

const toJson = ({ name, description, source, status, diagnostics, path }: SkillEntry) => ({
  name,
  description,
  source,
  status,
  diagnostics,
  path,
});

/** At a terminal: whether what the project brings may be used. True when somebody has just said yes. */
async function offerTrust(io: Io, runtime: Runtime, entries: readonly SkillEntry[]): Promise<boolean> {
  const count = entries.filter(({ status }) => status === 'untrusted').length;
  if (count === 0 || !io.isInteractive) return false;
  const prompt = await io.openPrompt();
  try {
    const text = `This project brings ${count} skill(s): texts that the model will follow. Trust what this project brings? y/N > `;
    const answer = (await prompt.question(text)).trim().toLowerCase();
    if (answer !== 'y' && answer !== 'yes') return false;
    await runtime.skills.trustProject();
    return true;
  } finally {
    prompt.close();
  }
}

function shown(entries: readonly SkillEntry[], io: Io): string {
  const style = createStyle(io.hasColor);
  const width = Math.min(40, Math.max(0, ...entries.map(({ name }) => name.length)));
  const lines = entries.flatMap(({ name, description, source, status, diagnostics }) => {
    const mark = status === 'ok' ? '' : ` ${style.yellow(status)}`;
    const head = `${style.bold(oneLine(name, 80).padEnd(width))}  ${style.dim(source)}${mark}`;
    const about = description === '' ? [] : [`  ${oneLine(description, Math.max(20, io.columns - 2))}`];
    const told = diagnostics.slice(0, MOST_SHOWN).map((each) => `  ${style.dim(diagnosticLine(each))}`);
    const more = diagnostics.length - MOST_SHOWN;
    return [head, ...about, ...told, ...(more > 0 ? [`  ${style.dim(`and ${more} more`)}`] : [])];
  });
  return lines.map((line) => `${line}\n`).join('');
}
