import { createRuntime } from '../../runtime/index.ts';
import { runtimeOptions } from '../flag-options.ts';
import type { ToolFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { knownSession } from '../known-session.ts';

/** Mends what a crash left of a session. Runs nothing; `run --session` goes on with it. */
export async function sessionsResume(io: Io, flags: ToolFlags, id: string): Promise<number> {
  const runtime = await createRuntime(runtimeOptions(flags));
  try {
    await knownSession(runtime, id);
    const session = await runtime.session({ id });
    const repairs = await session.resume();
    const messages = await session.messages();
    const uncertain = messages.flatMap((message) =>
      message.role === 'tool' && message.isError && String(message.content).includes('[uncertain]')
        ? [message.toolCallId]
        : [],
    );
    if (flags.json === true) {
      await io.out(`${JSON.stringify({ id, repairs, uncertain, messages: messages.length })}\n`);
      return 0;
    }
    const lines = repairs.length === 0 ? ['nothing had to be mended'] : repairs.map((repair) => `mended: ${repair}`);
    await io.out(`${lines.join('\n')}\n`);
    await io.out(`go on with: toolwright run --session ${id} "…"\n`);
    return 0;
  } finally {
    await runtime.close();
  }
}
