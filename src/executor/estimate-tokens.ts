import { estimateTokenCount } from 'tokenx';

/** An unbroken run is counted by length: no estimator may take long over what a tool printed. */
const MOST_LOOKED_AT = 200_000;

/** About how many tokens a text has (within a fifth for prose, above the truth for odd text). */
export function estimateTokens(text: string): number {
  if (text.length > MOST_LOOKED_AT) return Math.ceil(text.length / 3);
  return estimateTokenCount(text);
}
