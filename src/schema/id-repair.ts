import type { NewId } from '../core/index.ts';

/** Longest id that every provider takes (OpenAI). */
const LONGEST_ID = 40;

/**
 * Gives every call of a session an id of its own, whatever the provider sent. Empty, missing, null
 * and number ids get a new one; an id that was used before in the session keeps the beginning of its text.
 */
export function createIdRepair(newId: NewId, used: Set<string> = new Set()): (raw: unknown) => string {
  const fresh = (prefix: string) => {
    const id = newId().replaceAll('-', '');
    return `${prefix.slice(0, Math.max(0, LONGEST_ID - 1 - id.length))}_${id}`;
  };
  return (raw) => {
    const text = typeof raw === 'string' ? raw.trim() : '';
    let id = text === '' ? fresh('call') : text;
    if (used.has(id)) id = fresh(id);
    used.add(id);
    return id;
  };
}
