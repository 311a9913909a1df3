import { type Message, textOf } from '../../core/index.ts';
import { createRuntime } from '../../runtime/index.ts';
import { toollessOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { knownSession } from '../known-session.ts';
import { callLine, card } from '../render/card.ts';
import { messageToJson, sessionToJson } from '../render/session-json.ts';
import { createStyle, harmless, type Style } from '../render/style.ts';

export async function sessionsShow(io: Io, flags: RuntimeFlags, id: string): Promise<number> {
  const runtime = await createRuntime(toollessOptions(flags));
  try {
    const record = await knownSession(runtime, id);
    const messages = await runtime.sessions.messages(id);
    if (flags.json === true) {
      await io.out(`${JSON.stringify({ ...sessionToJson(record), messages: messages.map(messageToJson) })}\n`);
      return 0;
    }
    const style = createStyle(io.hasColor);
    await io.out(`${style.bold(record.id)} ${record.model} ${record.status}\n`);
    for (const message of messages) await io.out(`${shown(message, io.columns, style)}\n`);
    return 0;
  } finally {
    await runtime.close();
  }
}

function shown(message: Message, width: number, style: Style): string {
  switch (message.role) {
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map((call) => callLine(call.name, call.arguments, width, style));
      return [...(message.content === '' ? [] : [harmless(message.content)]), ...calls].join('\n');
    }
    case 'tool':
      return card({ name: message.name, content: message.content, failed: message.isError }, width, style);
    default:
      return `${style.bold(`${message.role}:`)} ${harmless(textOf(message.content))}`;
  }
}
