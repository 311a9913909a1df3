declare const crypto: { randomUUID(): string };

/** Where new ids come from; given, so that a run can be replayed. */
export type NewId = () => string;

export const randomId: NewId = () => crypto.randomUUID();

/**
 * Gives every call of a session an id of its own, whatever the provider sent. Empty, missing, null
 * and number ids get a new one; an id that was used before in the session keeps its text as a prefix.
 */
export function createIdRepair(newId: NewId, used: Set<string> = new Set()): (raw: unknown) => string {
  return (raw) => {
    const text = typeof raw === 'string' ? raw.trim() : typeof raw === 'number' ? String(raw) : '';
    let id = text === '' || typeof raw === 'number' ? `call_${newId()}` : text;
    if (used.has(id)) id = `${id.slice(0, 80)}_${newId()}`;
    used.add(id);
    return id;
  };
}
