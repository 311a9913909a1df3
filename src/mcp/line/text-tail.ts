/** The end of what was printed, at most `most` characters. */
export interface TextTail {
  push(text: string): void;
  readonly text: string;
}

export function createTextTail(most: number): TextTail {
  let kept = '';
  return {
    push(text) {
      kept += text;
      if (kept.length > 2 * most) kept = kept.slice(-most);
    },
    get text() {
      return kept.slice(-most);
    },
  };
}
