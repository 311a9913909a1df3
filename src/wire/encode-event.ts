import { type AgentEvent, messageOf } from '../core/index.ts';
import type { WireEvent } from './events.ts';
import { toWire } from './to-wire.ts';

/** Line ends to some readers though not to JSON. */
const SOFT_LINE_ENDS = /[\u0085\u2028\u2029]/g;

/**
 * One event as one line of NDJSON, its line end included. A field that JSON cannot carry (a bigint or a
 * circle in a tool's data) is replaced by the reason, so that the rest of the event still arrives.
 */
export function encodeEvent(event: AgentEvent): string {
  const wire = toWire(event);
  let text: string;
  try {
    text = JSON.stringify(wire);
  } catch {
    text = JSON.stringify(carried(wire));
  }
  return `${text.replace(SOFT_LINE_ENDS, escaped)}\n`;
}

const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

function carried(wire: WireEvent): Record<string, unknown> {
  const fields = Object.entries(wire).map(([key, value]) => {
    try {
      JSON.stringify(value);
      return [key, value];
    } catch (error) {
      return [key, `[not JSON: ${messageOf(error)}]`];
    }
  });
  return Object.fromEntries(fields);
}
