import { headOf } from '../core/index.ts';
import { estimateTokens } from './estimate-tokens.ts';

export interface CutText {
  readonly text: string;
  /** Lines of the whole that are shown in full. */
  readonly lines: number;
  readonly isCut: boolean;
}

/** The beginning of a text of at most so many tokens, cut at a line's end where it can be; an open code fence is closed. */
export function cutText(whole: string, mostTokens: number): CutText {
  // No text has fewer than a token in 16 characters.
  let text = headOf(whole, mostTokens * 16);
  for (let tokens = estimateTokens(text); tokens > mostTokens; tokens = estimateTokens(text)) {
    text = headOf(text, Math.floor(text.length * Math.min(0.95, mostTokens / tokens)));
  }
  const isCut = text.length < whole.length;
  if (!isCut) return { text: whole, lines: countLines(whole), isCut };
  const lines = whole[text.length] === '\n' ? countLines(text) : countLines(text) - 1;
  const fence = openFence(text);
  return { text: fence === undefined ? text : `${text}\n${fence}`, lines, isCut };
}

const countLines = (text: string) => text.split('\n').length;

/** What would close the code fence that is open at the text's end. */
function openFence(text: string): string | undefined {
  let open: string | undefined;
  for (const line of text.split('\n')) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (!fence?.[1]) continue;
    if (open === undefined) open = fence[1];
    else if (fence[1].startsWith(open) && fence[2]?.trim() === '') open = undefined;
  }
  return open;
}
