/**
 * Follows a JSON object as it comes in pieces and tells when its last brace has closed. Linear: each
 * character is looked at once and nothing is kept of the text (PERFORMANCE rule 3).
 */
export interface ArgumentScanner {
  push(piece: string): void;
  /** `open` until the outermost brace closed; `trailing` when something other than blanks followed; `other` when the text is not an object. */
  readonly state: 'empty' | 'open' | 'closed' | 'trailing' | 'other';
  /** A closed object that holds nothing (`{}`): some providers send it as a placeholder. */
  readonly hollow: boolean;
}

const QUOTE = 34;
const BACKSLASH = 92;

export function createArgumentScanner(): ArgumentScanner {
  let state: ArgumentScanner['state'] = 'empty';
  let depth = 0;
  let inString = false;
  let escaped = false;
  let hollow = true;
  return {
    get state() {
      return state;
    },
    get hollow() {
      return state === 'closed' && hollow;
    },
    push(piece) {
      for (let i = 0; i < piece.length; i++) {
        const unit = piece.charCodeAt(i);
        if (inString) {
          if (escaped) escaped = false;
          else if (unit === BACKSLASH) escaped = true;
          else if (unit === QUOTE) inString = false;
          continue;
        }
        if (unit <= 32) continue;
        if (state === 'empty') {
          if (unit === 123) {
            state = 'open';
            depth = 1;
          } else state = 'other';
          continue;
        }
        if (state === 'closed') state = 'trailing';
        if (state !== 'open') return;
        if (unit === 125 || unit === 93) {
          depth--;
          if (depth === 0) state = 'closed';
          continue;
        }
        hollow = false;
        if (unit === QUOTE) inString = true;
        else if (unit === 123 || unit === 91) depth++;
      }
    },
  };
}
