/** A longer line is an answer that nobody could use; it is dropped while it comes in. */
export const LONGEST_LINE = 64 * 1_048_576;
/** What is kept of a dropped line's beginning and end, to tell whose answer it was. */
const KEPT = 1_024;
const NEWLINE = 10;

export interface LineReader {
  push(chunk: Uint8Array): void;
}

/** Cuts bytes into lines; each byte is looked at once, however the chunks fall. */
export function createLineReader(
  onLine: (line: string) => void,
  onTooLong: (ends: string) => void,
  longest = LONGEST_LINE,
): LineReader {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let dropped = false;
  const take = (piece: Uint8Array) => {
    length += piece.length;
    if (!dropped && length <= longest) {
      pieces.push(piece);
      return;
    }
    if (!dropped) pieces = [Buffer.concat(pieces).subarray(0, KEPT)];
    dropped = true;
    const [head = new Uint8Array(), tail = new Uint8Array()] = pieces;
    pieces = [head, Buffer.concat([tail, piece.subarray(-KEPT)]).subarray(-KEPT)];
  };
  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        take(chunk.subarray(start, end));
        const line = Buffer.concat(pieces).toString('utf8');
        if (dropped) onTooLong(line);
        else onLine(line);
        pieces = [];
        length = 0;
        dropped = false;
        start = end + 1;
      }
      if (start < chunk.length) take(chunk.subarray(start));
    },
  };
}
