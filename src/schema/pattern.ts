const MOST_KNOWN = 1_000;
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
