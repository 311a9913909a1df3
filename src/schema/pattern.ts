import { createContext, Script } from 'node:vm';

const MOST_KNOWN = 1_000;
const MOST_MS = 100;
/** Longer text is matched under a time limit whatever the pattern. */
const LONG_TEXT = 1_000;
/** A repeated group, such as `(a+)+`, can take time that doubles with each character. */
const REPEATED_GROUP = /\)(?:[+*]|\{\d*,)/;

const known = new Map<string, RegExp | undefined>();

/** A schema's regular expression: as Unicode says first, then as older engines read it; undefined when neither can. */
export function compilePattern(pattern: string): RegExp | undefined {
  if (known.has(pattern)) return known.get(pattern);
  const compiled = attempt(pattern, 'u') ?? attempt(pattern, '');
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(pattern, compiled);
  return compiled;
}

function attempt(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}

/** Tests a text against a pattern; throws when that takes too long: the patterns are strangers'. */
export function testPattern(pattern: RegExp, text: string): boolean {
  if (text.length <= LONG_TEXT && !REPEATED_GROUP.test(pattern.source)) return pattern.test(text);
  try {
    const context = createContext(Object.assign(Object.create(null), { pattern, text }));
    return new Script('pattern.test(text)').runInContext(context, { timeout: MOST_MS }) as boolean;
  } catch {
    throw new Error(`the pattern ${pattern.source} could not be matched within ${MOST_MS} ms`);
  }
}
