/** One piece of a segment's pattern. */
type Token =
  | { readonly kind: 'any' }
  | { readonly kind: 'one' }
  | { readonly kind: 'sign'; readonly sign: string }
  | { readonly kind: 'class'; readonly negated: boolean; readonly has: (sign: string) => boolean };

export type SegmentMatcher = (name: string) => boolean;

/**
 * Matches one name: `*` any run, `?` one sign, `[a-z]` one of a class (`[!a]`, `[^a]` one not of it), `\` makes
 * the next sign literal; a name that is the pattern letter for letter fits too. Names that begin with a dot fit
 * only patterns that do, unless `dot`. Time grows with the product of the two lengths at the most.
 */
export function createSegmentMatcher(pattern: string, dot: boolean): SegmentMatcher {
  const tokens = readTokens([...pattern]);
  const first = tokens[0];
  const wild = first !== undefined && first.kind !== 'sign';
  return (name) => {
    if (name === pattern) return true;
    if (!dot && wild && name.startsWith('.')) return false;
    return fits(tokens, [...name]);
  };
}

function fits(tokens: readonly Token[], signs: readonly string[]): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let resume = 0;
  while (at < signs.length) {
    const token = tokens[from];
    if (token?.kind === 'any') {
      star = from++;
      resume = at;
    } else if (token && fitsOne(token, signs[at] as string)) {
      from++;
      at++;
    } else if (star >= 0) {
      from = star + 1;
      at = ++resume;
    } else return false;
  }
  return tokens.slice(from).every((token) => token.kind === 'any');
}

function fitsOne(token: Token, sign: string): boolean {
  if (token.kind === 'one') return true;
  if (token.kind === 'sign') return token.sign === sign;
  return token.kind === 'class' && token.has(sign) !== token.negated;
}

function readTokens(signs: readonly string[]): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < signs.length; at++) {
    const sign = signs[at] as string;
    const group = sign === '[' ? readClass(signs, at) : undefined;
    if (group) {
      tokens.push(group.token);
      at = group.end;
    } else if (sign === '\\' && at + 1 < signs.length) tokens.push({ kind: 'sign', sign: signs[++at] as string });
    else if (sign === '*') {
      if (tokens.at(-1)?.kind !== 'any') tokens.push({ kind: 'any' });
    } else tokens.push(sign === '?' ? { kind: 'one' } : { kind: 'sign', sign });
  }
  return tokens;
}

/** A class from its `[`; undefined when it is not closed, so that the bracket is literal. */
function readClass(signs: readonly string[], start: number): { token: Token; end: number } | undefined {
  const negated = signs[start + 1] === '!' || signs[start + 1] === '^';
  const ranges: [string, string][] = [];
  for (let at = start + (negated ? 2 : 1); at < signs.length; at++) {
    let sign = signs[at] as string;
    if (sign === ']' && ranges.length > 0) {
      const has = (name: string) => ranges.some(([low, high]) => low <= name && name <= high);
      return { token: { kind: 'class', negated, has }, end: at };
    }
    if (sign === '\\' && at + 1 < signs.length) sign = signs[++at] as string;
    const high = signs[at + 1] === '-' && signs[at + 2] !== ']' ? signs[at + 2] : undefined;
    ranges.push([sign, high ?? sign]);
    if (high !== undefined) at += 2;
  }
  return undefined;
}
