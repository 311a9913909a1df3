import { createRuntime } from '../../runtime/index.ts';
import { timeline, toWire } from '../../wire/index.ts';
import { toollessOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { knownSession } from '../known-session.ts';
import { itemToMarkdown } from '../render/item-markdown.ts';
import { messageToJson, sessionToJson } from '../render/session-json.ts';

interface Flags extends RuntimeFlags {
  readonly format?: 'json' | 'md';
}

/** All that is kept of a session: as JSON with its messages and events, or as a page to read. */
export async function sessionsExport(io: Io, flags: Flags, id: string): Promise<number> {
  const runtime = await createRuntime(toollessOptions(flags));
  try {
    const record = await knownSession(runtime, id);
    const events = (await runtime.sessions.events(id)).map(toWire);
    if (flags.format === 'md' && flags.json !== true) {
      await io.out(`# Session ${id}\n\n${timeline(events).map(itemToMarkdown).join('\n\n')}\n`);
      return 0;
    }
    const messages = (await runtime.sessions.messages(id)).map(messageToJson);
    await io.out(`${JSON.stringify({ session: sessionToJson(record), messages, events }, null, 2)}\n`);
    return 0;
  } finally {
    await runtime.close();
  }
}
