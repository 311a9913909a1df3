import type { Message } from '../core/index.ts';
import type { StoredMessage } from '../store/index.ts';

/** A session's conversation in memory, each message with its place in the store. */
export interface SessionTranscript {
  readonly messages: readonly Message[];
  readonly usedCallIds: Set<string>;
  put(messages: readonly Message[]): Promise<void>;
  putSoon(messages: readonly Message[]): Promise<void>;
  /** Takes what the store holds; the array stays the same one. */
  load(stored: readonly StoredMessage[]): void;
}

/** `write` keeps messages; those of one `put` go in one write, at once when it is urgent. */
export function createSessionTranscript(
  write: (messages: readonly StoredMessage[], isUrgent: boolean) => Promise<void>,
): SessionTranscript {
  const messages: Message[] = [];
  const usedCallIds = new Set<string>();
  /** Message id -> index in `messages`. */
  const indexes = new Map<string, number>();
  /** Index -> place in the store. */
  const positions: number[] = [];

  const place = (message: Message, position: number): void => {
    const known = indexes.get(message.id);
    if (known === undefined) {
      indexes.set(message.id, messages.length);
      positions.push(position);
      messages.push(message);
    } else messages[known] = message;
    if (message.role !== 'assistant') return;
    for (const call of message.toolCalls ?? []) usedCallIds.add(call.id);
  };

  const put = (added: readonly Message[], isUrgent: boolean): Promise<void> => {
    const changed = added.filter((message) => messages[indexes.get(message.id) ?? -1] !== message);
    const stored = changed.map((message) => {
      place(message, (positions.at(-1) ?? -1) + 1);
      return { position: positions[indexes.get(message.id) ?? 0] ?? 0, message };
    });
    return stored.length === 0 ? Promise.resolve() : write(stored, isUrgent);
  };

  return {
    messages,
    usedCallIds,
    put: (added) => put(added, true),
    putSoon: (added) => put(added, false),
    load(stored) {
      messages.length = 0;
      positions.length = 0;
      usedCallIds.clear();
      indexes.clear();
      for (const { position, message } of stored) place(message, position);
    },
  };
}
