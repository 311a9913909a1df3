/** An object nested deeper is copied, which also ends those that hold themselves. */
const DEEPEST = 64;

/**
 * The value as JSON carries it: itself when it is plain already, else a copy (dates as texts, bigints as
 * their digits); undefined when it has no such form.
 */
export function plainJson(value: unknown): unknown {
  try {
    if (isPlain(value, 0)) return value;
    const text = JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isPlain(value: unknown, depth: number): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth === DEEPEST) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isPlain(item, depth + 1)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  if (Object.getOwnPropertySymbols(value).length > 0) return false;
  for (const item of Object.values(value)) if (!isPlain(item, depth + 1)) return false;
  return true;
}
