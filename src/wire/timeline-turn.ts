import type { CallCard } from './call-card.ts';
import type { WireEventOf } from './events.ts';
import type { ItemBase, ReplyItem, TimelineItem } from './timeline-item.ts';

type AssistantMessage = Extract<WireEventOf<'message'>, { role: 'assistant' }>;

interface Reply {
  readonly messageId: string;
  text: string;
  thinking: string;
  cards: readonly CallCard[];
}

/** One turn of the model on screen: what it thought and said, and its calls in order. */
export interface TimelineTurn {
  readonly state: 'open' | 'closed' | 'discarded';
  /** More of the reply under way; it continues the last message. */
  draft(kind: ReplyItem['kind'], text: string): void;
  /** The message as kept: stands for the draft, and for its own earlier state. */
  message(message: AssistantMessage, cards: readonly CallCard[]): void;
  /** Gives a card its place here. */
  place(card: CallCard): void;
  /** One of its cards has changed. */
  touch(): void;
  /** Ends the turn; what no kept event has confirmed goes. Gives back the cards that went. */
  close(): readonly CallCard[];
  /** Ends the turn and all that it showed. */
  discard(): readonly CallCard[];
  /** The same array until something changes. */
  items(): readonly TimelineItem[];
}

export function createTimelineTurn(base: ItemBase): TimelineTurn {
  let state: TimelineTurn['state'] = 'open';
  let draft = { text: '', thinking: '' };
  let replies: Reply[] = [];
  let cards: CallCard[] = [];
  let made: readonly TimelineItem[] | undefined;
  const shown = new Map<string, ReplyItem>();

  const replyItem = (kind: ReplyItem['kind'], index: number, text: string, live: boolean): ReplyItem[] => {
    if (text === '') return [];
    const key = `${base.key}:${kind}:${index}`;
    const before = shown.get(key);
    const item = before?.text === text && before.live === live ? before : { ...base, key, kind, text, live };
    shown.set(key, item);
    return [item];
  };
  const cardItem = (card: CallCard) => card.item({ ...base, key: `call:${base.parentCallId ?? ''}:${card.callId}` });

  const build = (): TimelineItem[] => {
    const claimed = new Set(replies.flatMap((reply) => reply.cards));
    const all = replies.length === 0 ? [{ text: '', thinking: '', cards: [] }] : replies;
    const items = all.flatMap((reply, index): TimelineItem[] => {
      const more = index === all.length - 1 ? draft : { text: '', thinking: '' };
      return [
        ...replyItem('thinking', index, reply.thinking + more.thinking, more.thinking !== '' && more.text === ''),
        ...replyItem('text', index, reply.text + more.text, more.text !== ''),
        ...reply.cards.map(cardItem),
      ];
    });
    return [...items, ...cards.filter((card) => !claimed.has(card)).map(cardItem)];
  };
  const end = (as: TimelineTurn['state'], stays: (card: CallCard) => boolean) => {
    const gone = cards.filter((card) => !stays(card));
    state = as;
    made = undefined;
    draft = { text: '', thinking: '' };
    cards = cards.filter(stays);
    return gone;
  };

  return {
    get state() {
      return state;
    },
    draft(kind, text) {
      draft[kind] += text;
      made = undefined;
    },
    message({ message_id, content, thinking = '' }, messageCards) {
      const next = { messageId: message_id, text: content, thinking, cards: messageCards };
      const known = replies.findIndex((reply) => reply.messageId === message_id);
      replies = known < 0 ? [...replies, next] : replies.with(known, next);
      draft = { text: '', thinking: '' };
      made = undefined;
    },
    place(card) {
      cards.push(card);
      made = undefined;
    },
    touch() {
      made = undefined;
    },
    close: () => end('closed', (card) => card.confirmed),
    discard() {
      replies = [];
      return end('discarded', () => false);
    },
    items() {
      made ??= build();
      return made;
    },
  };
}
