/** Tells whether the JSON value that comes in pieces has closed; linear, and keeps nothing of the text. */
export interface ArgumentEnd {
  push(piece: string): void;
  /** Its outermost brace has closed. */
  readonly closed: boolean;
  /** Nothing but blanks came so far. */
  readonly empty: boolean;
}

const QUOTE = 34;
const BACKSLASH = 92;

export function createArgumentEnd(): ArgumentEnd {
  let depth = 0;
  let empty = true;
  let closed = false;
  let inString = false;
  let escaped = false;
  return {
    get closed() {
      return closed;
    },
    get empty() {
      return empty;
    },
    push(piece) {
      for (let i = 0; i < piece.length && !closed; i++) {
        const unit = piece.charCodeAt(i);
        if (inString) {
          if (escaped) escaped = false;
          else if (unit === BACKSLASH) escaped = true;
          else if (unit === QUOTE) inString = false;
          continue;
        }
        if (unit <= 32) continue;
        empty = false;
        if (unit === QUOTE) inString = true;
        else if (unit === 123 || unit === 91) depth++;
        else if (unit === 125 || unit === 93) closed = --depth <= 0;
      }
    },
  };
}
