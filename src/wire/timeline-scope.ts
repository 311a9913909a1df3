import { type CallCard, createCallCard } from './call-card.ts';
import type { WireEvent, WireEventOf } from './events.ts';
import { itemBase } from './item-base.ts';
import { createTimelineTurn, type TimelineTurn } from './timeline-turn.ts';

type MessageOf<Role> = Extract<WireEventOf<'message'>, { role: Role }>;

/** The turns and calls of a session's agent, or of one of its subagents. */
export interface TimelineScope {
  startTurn(event: WireEvent): void;
  endTurn(discarded: boolean): void;
  /** Ends what is under way; calls without a result are interrupted. */
  endRun(): void;
  reply(event: WireEventOf<'text_delta' | 'thinking_delta'>): void;
  argumentsPiece(event: WireEventOf<'tool_call_delta'>): void;
  assistant(message: MessageOf<'assistant'>): void;
  toolMessage(message: MessageOf<'tool'>): void;
  called(event: WireEventOf<'tool_call'>): void;
  asked(event: WireEventOf<'ask'>): void;
  askResolved(event: WireEventOf<'ask_resolved'>): void;
  progress(event: WireEventOf<'tool_progress'>): void;
  result(event: WireEventOf<'tool_result'>): void;
}

/** `addTurn` puts a new turn behind all that is shown so far. */
export function createTimelineScope(addTurn: (turn: TimelineTurn) => void): TimelineScope {
  const cards = new Map<string, { readonly card: CallCard; turn?: TimelineTurn }>();
  const askedBy = new Map<string, string>();
  const withoutResult = new Set<string>();
  const messages = new Map<string, TimelineTurn>();
  let current: TimelineTurn | undefined;

  const start = (event: WireEvent): TimelineTurn => {
    current = createTimelineTurn(itemBase(event));
    addTurn(current);
    return current;
  };
  const entryOf = (callId: string) => {
    let entry = cards.get(callId);
    if (!entry) {
      entry = { card: createCallCard(callId) };
      cards.set(callId, entry);
      withoutResult.add(callId);
    }
    entry.turn?.touch();
    return entry;
  };
  /** The call's card; one that has no place yet gets it in the current turn. */
  const placed = (callId: string, event: WireEvent): CallCard => {
    const entry = entryOf(callId);
    if (!entry.turn) {
      entry.turn = current ?? start(event);
      entry.turn.place(entry.card);
    }
    return entry.card;
  };
  const forget = (callId: string) => {
    cards.delete(callId);
    withoutResult.delete(callId);
  };
  const endTurn = (discarded: boolean) => {
    if (current?.state !== 'open') return;
    for (const card of discarded ? current.discard() : current.close()) forget(card.callId);
  };

  return {
    startTurn(event) {
      endTurn(false);
      start(event);
    },
    endTurn,
    endRun() {
      endTurn(false);
      for (const callId of withoutResult) {
        const entry = entryOf(callId);
        entry.card.interrupt();
        if (!entry.turn) cards.delete(callId);
      }
      withoutResult.clear();
      current = undefined;
    },
    reply(event) {
      const turn = current ?? start(event);
      if (turn.state === 'open') turn.draft(event.type === 'text_delta' ? 'text' : 'thinking', event.text);
    },
    argumentsPiece(event) {
      if (!current || current.state === 'open') placed(event.tool_call_id, event).argumentsPiece(event);
    },
    assistant(message) {
      const known = messages.get(message.message_id);
      const turn = known && known.state !== 'discarded' ? known : (current ?? start(message));
      messages.set(message.message_id, turn);
      const written = (message.tool_calls ?? []).map((call) => {
        const card = placed(call.id, message);
        card.written(call.function.name, call.function.arguments);
        return card;
      });
      turn.message(message, written);
    },
    toolMessage(message) {
      placed(message.tool_call_id, message).resultMessage(message.name, message.content, message.is_error);
      withoutResult.delete(message.tool_call_id);
    },
    called: (event) => placed(event.tool_call_id, event).called(event),
    asked(event) {
      askedBy.set(event.id, event.tool_call_id);
      placed(event.tool_call_id, event).asked(event);
    },
    askResolved(event) {
      const callId = askedBy.get(event.id);
      if (callId !== undefined) entryOf(callId).card.askResolved(event);
    },
    progress: (event) => entryOf(event.tool_call_id).card.progress(event),
    result(event) {
      placed(event.tool_call_id, event).result(event);
      withoutResult.delete(event.tool_call_id);
    },
  };
}
