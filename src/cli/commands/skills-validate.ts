import { resolve } from 'node:path';
import { createRuntime } from '../../runtime/index.ts';
import { toollessOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { diagnosticLine } from '../render/diagnostic-line.ts';
import { harmless } from '../render/style.ts';

/** 1 when a skill breaks the standard or cannot be used. */
export async function skillsValidate(io: Io, flags: RuntimeFlags, dir: string): Promise<number> {
  const runtime = await createRuntime(toollessOptions(flags));
  try {
    const skills = await runtime.skills.validate(resolve(dir));
    const valid = skills.every((skill) => skill.isValid);
    if (flags.json === true) {
      const all = skills.map(({ name, path, isValid, diagnostics }) => ({ name, path, valid: isValid, diagnostics }));
      await io.out(
        `${JSON.stringify({ valid, skills: all, diagnostics: all.flatMap((skill) => skill.diagnostics) })}\n`,
      );
      return valid ? 0 : 1;
    }
    for (const { name, isValid, diagnostics } of skills) {
      await io.out(diagnostics.map((each) => `${diagnosticLine(each)}\n`).join(''));
      await io.out(`${harmless(name)}: ${isValid ? 'valid' : 'broken'}\n`);
    }
    return valid ? 0 : 1;
  } finally {
    await runtime.close();
  }
}
