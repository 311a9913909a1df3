import { cutStart } from '../../core/index.ts';

/** The end of a text that only grows. Pieces are joined when somebody reads them, not as they come. */
export interface TextTail {
  add(piece: string): void;
  /** The last characters, at most `max`. */
  readonly text: string;
}

export function createTextTail(max: number): TextTail {
  let pieces: string[] = [];
  let length = 0;
  const join = () => {
    const text = cutStart(pieces.join(''), max);
    pieces = text === '' ? [] : [text];
    length = text.length;
    return text;
  };
  return {
    add(piece) {
      if (piece === '') return;
      if (piece.length >= max) {
        // A copy, lest a short end keep a long piece in memory.
        pieces = [Buffer.from(cutStart(piece, max), 'utf16le').toString('utf16le')];
        length = (pieces[0] as string).length;
        return;
      }
      pieces.push(piece);
      length += piece.length;
      if (length >= 4 * max || pieces.length >= 1_024) join();
    },
    get text() {
      return join();
    },
  };
}
