import { resolve } from 'node:path';
import { createRuntime } from '../../runtime/index.ts';
import { toollessOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { diagnosticLine } from '../render/diagnostic-line.ts';
import { harmless } from '../render/style.ts';

export async function skillsAdd(
  io: Io,
  flags: RuntimeFlags & { readonly project?: boolean },
  dir: string,
): Promise<number> {
  const runtime = await createRuntime(toollessOptions(flags));
  try {
    const added = await runtime.skills.install(resolve(dir), { inProject: flags.project === true });
    if (flags.json === true) {
      const { isNew, ...facts } = added;
      await io.out(`${JSON.stringify({ ...facts, new: isNew })}\n`);
      return 0;
    }
    for (const each of added.diagnostics) io.err(`${diagnosticLine(each)}\n`);
    for (const note of added.notes) io.err(`left out: ${harmless(note)}\n`);
    const what = added.isNew ? 'is installed' : 'was installed already';
    await io.out(`${harmless(added.name)} ${what}: ${added.files} files in ${added.folder}\n`);
    return 0;
  } finally {
    await runtime.close();
  }
}
