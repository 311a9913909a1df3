import { createRuntime } from '../../runtime/index.ts';
import { toollessOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { sessionToJson } from '../render/session-json.ts';
import { createStyle, oneLine } from '../render/style.ts';

export async function sessionsList(io: Io, flags: RuntimeFlags & { readonly limit: number }): Promise<number> {
  const runtime = await createRuntime(toollessOptions(flags));
  try {
    const records = await runtime.sessions.list({ limit: flags.limit });
    if (flags.json === true) {
      await io.out(`${JSON.stringify(records.map(sessionToJson))}\n`);
      return 0;
    }
    const style = createStyle(io.hasColor);
    const lines = records.map((record) => {
      const when = new Date(record.updatedAt).toISOString().slice(0, 16).replace('T', ' ');
      const head = `${record.id}  ${when}  ${record.status}`;
      return `${head}  ${style.dim(oneLine(record.summary, Math.max(20, io.columns - head.length - 2)))}\n`;
    });
    await io.out(lines.join('') || 'There are no sessions. `toolwright run "PROMPT"` begins one.\n');
    return 0;
  } finally {
    await runtime.close();
  }
}
