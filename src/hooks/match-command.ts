import { messageOf, ToolwrightError } from '../core/index.ts';

/**
 * A matcher as Claude Code writes it, as a test of a tool's names (the canonical one first, then its aliases):
 * nothing, `""` and `*` fit all; `Edit|Write` is a list; `mcp__github__*` a prefix; anything else a regular
 * expression for the whole name.
 */
export function createCommandMatcher(matcher = ''): (names: readonly string[]) => boolean {
  const text = matcher.trim();
  if (text === '' || text === '*') return () => true;
  if (/^[\w|, -]+$/.test(text)) {
    const wanted = new Set(text.split(/[|,]/).map((name) => name.trim()));
    return (names) => names.some((name) => wanted.has(name));
  }
  if (/^[\w-]+\*$/.test(text)) return (names) => names.some((name) => name.startsWith(text.slice(0, -1)));
  try {
    const whole = new RegExp(`^(?:${text})$`);
    return (names) => names.some((name) => whole.test(name));
  } catch (error) {
    throw new ToolwrightError('invalid_request', `the hook matcher ${JSON.stringify(text)} is not usable`, {
      hint: `Write names with | between, a prefix*, or a regular expression. ${messageOf(error)}`,
    });
  }
}
