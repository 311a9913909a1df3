import type { Hook } from '../core/index.ts';

/** Makes a hook's `match` a test. A list may hold names, aliases and `prefix*`. */
export function createMatcher(match: Hook['match'], canonical: (name: string) => string): (name: string) => boolean {
  if (match === undefined) return () => true;
  if (typeof match === 'function') return match;
  const lines = typeof match === 'string' ? [match] : match;
  return (name) =>
    lines.some((line) => (line.endsWith('*') ? name.startsWith(line.slice(0, -1)) : canonical(line) === name));
}
