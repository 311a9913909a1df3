import { type EventBody, type ToolResult, textOf } from '../../core/index.ts';
import { createMemoryStore, createRuntime } from '../../runtime/index.ts';
import { runtimeOptions, sessionOptions } from '../flag-options.ts';
import type { RuleFlags, SessionFlags, ToolFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { knownSession } from '../known-session.ts';
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
      const result = await session.call(name, input ?? '', flags.json === true ? {} : { onEvent: progressTo(io) });
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
function progressTo(io: Io): (event: EventBody) => void {
  const view = createRunView({ style: createStyle(io.hasColor), width: io.columns });
  return (event) => {
    const text = view.push(event);
    if (event.type === 'tool_progress') io.err(text);
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
