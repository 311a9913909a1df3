import type { WireEvent } from './events.ts';
import type { ItemBase } from './timeline-item.ts';

/** What an item takes from the event that gives it its place. */
export function itemBase(event: WireEvent): ItemBase {
  const { seq, ts, agent_name, parent_call_id } = event;
  return {
    key: String(seq),
    ts,
    ...(agent_name !== undefined && { agentName: agent_name }),
    ...(parent_call_id !== undefined && { parentCallId: parent_call_id }),
  };
}
