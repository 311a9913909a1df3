import { textOf } from '../../core/index.ts';
import { createRuntime } from '../../runtime/index.ts';
import { toollessOptions } from '../flag-options.ts';
import type { ToolFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { knownSession } from '../known-session.ts';
import { harmless } from '../render/style.ts';

/** Mends what a crash left of a session. Runs nothing; `run --session` goes on with it. */
export async function sessionsResume(io: Io, flags: ToolFlags, id: string): Promise<number> {
  const runtime = await createRuntime(toollessOptions(flags));
  try {
    await knownSession(runtime, id);
    const session = await runtime.session({ id });
    const repairs = await session.resume();
    const messages = await session.messages();
    const uncertain = messages.flatMap((message) =>
      message.role === 'tool' && message.isError && textOf(message.content).startsWith('Error [uncertain]')
        ? [{ id: message.toolCallId, name: message.name }]
        : [],
    );
    if (flags.json === true) {
      await io.out(
        `${JSON.stringify({ id, repairs, uncertain: uncertain.map((call) => call.id), messages: messages.length })}\n`,
      );
      return 0;
    }
    const lines = repairs.length === 0 ? ['nothing had to be mended'] : repairs.map((repair) => `mended: ${repair}`);
    for (const call of uncertain) lines.push(`uncertain: ${call.name} (${call.id}) may or may not have taken effect`);
    await io.out(`${harmless(lines.join('\n'))}\n`);
    await io.out(`go on with: toolwright run --session ${id} "…"\n`);
    return 0;
  } finally {
    await runtime.close();
  }
}
