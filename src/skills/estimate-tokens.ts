import { estimateTokenCount } from 'tokenx';

const MOST_LOOKED_AT = 200_000;

/** About how many tokens a text has; one that is very long is counted by its length. */
export function estimateTokens(text: string): number {
  return text.length > MOST_LOOKED_AT ? Math.ceil(text.length / 3) : estimateTokenCount(text);
}
