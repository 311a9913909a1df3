import type { AgentEvent } from '../../core/index.ts';
import { textOf } from '../../core/index.ts';
import { createRuntime } from '../../runtime/index.ts';
import { encodeEvent } from '../../wire/index.ts';
import { toollessOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { knownSession } from '../known-session.ts';
import { createRunView } from '../render/run-view.ts';
import { createStyle, harmless } from '../render/style.ts';

/** Shows a kept session as it was shown when it ran. Runs nothing. */
export async function sessionsReplay(io: Io, flags: RuntimeFlags, id: string): Promise<number> {
  const runtime = await createRuntime(toollessOptions(flags));
  try {
    await knownSession(runtime, id);
    const events = await runtime.sessions.events(id);
    if (flags.json === true) {
      for (const event of events) await io.out(encodeEvent(event));
      return 0;
    }
    const style = createStyle(io.hasColor);
    const view = createRunView({ style, width: io.columns });
    for (const event of inViewOrder(events)) {
      const input = event.type === 'message' && event.message.role === 'user' ? textOf(event.message.content) : '';
      if (input !== '') await io.out(`${style.bold('>')} ${harmless(input)}\n`);
      await io.out(view.push(event));
    }
    return 0;
  } finally {
    await runtime.close();
  }
}

/** A reply's text was seen before its calls; what is kept of it comes at the end of its turn. */
function inViewOrder(events: readonly AgentEvent[]): AgentEvent[] {
  const shown: AgentEvent[] = [];
  let turn = 0;
  for (const event of events) {
    if (event.type === 'turn_start') turn = shown.length;
    if (event.type === 'message' && event.message.role === 'assistant' && event.message.content !== '') {
      const { sessionId, seq, ts } = event;
      shown.splice(turn + 1, 0, { type: 'text_delta', text: event.message.content, sessionId, seq, ts });
    }
    shown.push(event);
  }
  return shown;
}
