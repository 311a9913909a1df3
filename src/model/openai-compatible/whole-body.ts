/** An answer that is read whole, up to a limit. */
export interface WholeBody {
  /** False when there is no room left. */
  add(bytes: Buffer): boolean;
  text(): string;
  /** What to do with the text instead of reading it as a reply. */
  readonly onEnd: ((text: string) => void) | undefined;
}

export function createWholeBody(maxBytes: number, onEnd?: (text: string) => void): WholeBody {
  const pieces: Buffer[] = [];
  let length = 0;
  return {
    onEnd,
    add(bytes) {
      const room = maxBytes - length;
      const piece = bytes.length > room ? bytes.subarray(0, room) : bytes;
      pieces.push(piece);
      length += piece.length;
      return bytes.length <= room;
    },
    text: () => Buffer.concat(pieces).toString('utf8'),
  };
}
