import type { WireEvent } from './events.ts';
import { itemBase } from './item-base.ts';
import type { TimelineItem, UserItem } from './timeline-item.ts';
import { createTimelineScope, type TimelineScope } from './timeline-scope.ts';

export interface Timeline {
  /** Takes the next event. Progress and results may come before the call that they belong to. */
  push(event: WireEvent): void;
  /** What there is to show, in order. Items that did not change are the same objects as before. */
  items(): readonly TimelineItem[];
}

/**
 * What a screen shows of these events. The kept events alone give the same items as all events do, once
 * their runs have ended.
 */
export function timeline(events: Iterable<WireEvent>): readonly TimelineItem[] {
  const whole = createTimeline();
  for (const event of events) whole.push(event);
  return whole.items();
}

export function createTimeline(): Timeline {
  const groups: { items(): readonly TimelineItem[] }[] = [];
  const scopes = new Map<string, TimelineScope>();
  const userItems = new Map<string, { item: UserItem }>();
  let made: readonly TimelineItem[] | undefined;

  const add = (item: TimelineItem) => void groups.push({ items: () => [item] });
  const scopeOf = (event: WireEvent): TimelineScope => {
    const key = event.parent_call_id ?? '';
    const scope = scopes.get(key) ?? createTimelineScope((turn) => groups.push(turn));
    scopes.set(key, scope);
    return scope;
  };
  const addUser = (event: Extract<WireEvent, { role: 'user' }>) => {
    const known = userItems.get(event.message_id);
    if (known) known.item = { ...known.item, content: event.content };
    else {
      const slot = { item: { ...itemBase(event), kind: 'user' as const, content: event.content } };
      userItems.set(event.message_id, slot);
      groups.push({ items: () => [slot.item] });
    }
  };
  const take = (event: WireEvent, scope: TimelineScope) => {
    switch (event.type) {
      case 'run_start':
        return scope.endRun();
      case 'turn_start':
        return scope.startTurn(event);
      case 'turn_end':
        return scope.endTurn(event.discarded === true);
      case 'text_delta':
      case 'thinking_delta':
        return scope.reply(event);
      case 'tool_call_delta':
        return scope.argumentsPiece(event);
      case 'message':
        if (event.role === 'user') return addUser(event);
        if (event.role === 'assistant') return scope.assistant(event);
        return event.role === 'tool' ? scope.toolMessage(event) : undefined;
      case 'tool_call':
        return scope.called(event);
      case 'ask':
        return scope.asked(event);
      case 'ask_resolved':
        return scope.askResolved(event);
      case 'tool_progress':
        return scope.progress(event);
      case 'tool_result':
        return scope.result(event);
      case 'notification': {
        const { task_id: taskId, status, text } = event;
        return add({ ...itemBase(event), kind: 'notification', taskId, status, text });
      }
      case 'error': {
        const { code, message, retryable } = event;
        return add({ ...itemBase(event), kind: 'error', code, message, retryable });
      }
      case 'run_end': {
        scope.endRun();
        const { reason, step, usage, error } = event;
        return add({ ...itemBase(event), kind: 'run_end', reason, steps: step, usage, ...(error && { error }) });
      }
    }
  };

  return {
    push(event) {
      take(event, scopeOf(event));
      made = undefined;
    },
    items() {
      made ??= groups.flatMap((group) => group.items());
      return made;
    },
  };
}
