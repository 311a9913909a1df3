import type { Hook } from '../core/index.ts';

/** Whether a hook is for a tool. */
export function matchesTool({ match }: Hook, name: string): boolean {
  if (match === undefined) return true;
  if (typeof match === 'function') return match(name);
  return (typeof match === 'string' ? [match] : match).some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name,
  );
}
