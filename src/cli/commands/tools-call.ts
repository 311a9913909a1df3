import { type EventBody, systemClock, type ToolResult, textOf } from '../../core/index.ts';
import { createMemoryStore, createRuntime } from '../../runtime/index.ts';
import { runtimeOptions, sessionOptions } from '../flag-options.ts';
import type { RuleFlags, SessionFlags, ToolFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { knownSession } from '../known-session.ts';
import { createLiveView } from '../render/live-view.ts';
import { createRunView } from '../render/run-view.ts';
import { createStyle, harmless } from '../render/style.ts';

/** One call by hand, through the whole executor. Without `--session` nothing of it is kept but stored outputs. */
export async function toolsCall(
  io: Io,
  flags: ToolFlags & RuleFlags & Pick<SessionFlags, 'session'>,
  name: string,
  input: string | undefined,
): Promise<number> {
  const options = sessionOptions(flags);
  const runtime = await createRuntime({
    ...runtimeOptions(flags),
    ...(flags.session === undefined ? { store: createMemoryStore() } : {}),
  });
  try {
    for (const warning of runtime.warnings) io.err(`toolwright: ${warning}\n`);
    if (flags.session !== undefined) await knownSession(runtime, flags.session);
    if (name.startsWith('mcp__')) await runtime.mcp.settled();
    const session = await runtime.session({ ...options, background: false });
    let interrupted = false;
    const stop = () => {
      interrupted = true;
      session.cancel();
    };
    const release = io.onInterrupt(stop);
    io.gone.addEventListener('abort', stop, { once: true });
    try {
      const progress = flags.json === true ? undefined : progressTo(io);
      const result = await session
        .call(name, input ?? '', progress === undefined ? {} : { onEvent: progress.push })
        .finally(() => progress?.close());
      await io.out(
        flags.json === true ? `${JSON.stringify(printed(result))}\n` : `${harmless(textOf(result.content))}\n`,
      );
      return interrupted ? 130 : result.error === undefined ? 0 : 1;
    } finally {
      release();
    }
  } finally {
    await runtime.close();
  }
}

/** Live output goes to stderr, so that stdout holds the result and nothing else. */
function progressTo(io: Io): { push(event: EventBody): void; close(): Promise<void> } {
  const style = createStyle(io.hasColor);
  if (io.errScreen !== undefined) {
    const live = createLiveView({ terminal: io.errScreen, style, clock: systemClock, err: io.err });
    return { push: (event) => void live.show([event]), close: live.close };
  }
  const view = createRunView({ style, width: io.columns });
  return {
    push(event) {
      const text = view.push(event);
      if (event.type === 'tool_progress') io.err(text);
    },
    close: async () => {},
  };
}

function printed({ content, data, error, stored }: ToolResult): Record<string, unknown> {
  return {
    content,
    ...(data === undefined ? {} : { data }),
    ...(error === undefined ? {} : { error }),
    ...(stored === undefined ? {} : { stored }),
  };
}
