/** A line as it was cut out of a file: at most the window's line limit of its bytes. */
export interface CutLine {
  readonly bytes: Uint8Array;
  /** Bytes of the whole line, its ending not counted. */
  readonly length: number;
  readonly ending: '' | '\n' | '\r\n';
}

export interface WindowOptions {
  /** Bytes of a character unit. */
  readonly unit: 1 | 2;
  readonly bigEndian: boolean;
  /** First line to keep, from 1. */
  readonly first: number;
  readonly count: number;
  readonly mostLineBytes: number;
  /** Bytes kept of all lines together; no further line is begun above it. */
  readonly mostBytes: number;
}

export interface LineWindow {
  push(chunk: Buffer): void;
  /** Ends the last line when it has no ending. */
  end(): void;
  readonly lines: readonly CutLine[];
  /** Lines that have begun so far. */
  readonly total: number;
  /** No further line will be kept. */
  readonly full: boolean;
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Keeps some lines of a stream of bytes and counts the rest. Only `\n` and `\r\n` end a line: a lone `\r`,
 * a form feed, U+2028 and the like are characters of it. Chunks of two-byte text must have even lengths.
 */
export function createLineWindow({
  unit,
  bigEndian,
  first,
  count,
  mostLineBytes,
  mostBytes,
}: WindowOptions): LineWindow {
  const lines: CutLine[] = [];
  let ended = 0;
  let pieces: Uint8Array[] = [];
  let kept = 0;
  let keptBefore = 0;
  let length = 0;
  let lastUnit = -1;

  const unitAt = (chunk: Buffer, at: number): number => {
    if (unit === 1) return chunk[at] ?? -1;
    return bigEndian ? chunk.readUInt16BE(at) : chunk.readUInt16LE(at);
  };
  /** Where the next line feed begins, -1 when the chunk has none more. */
  const findFeed = (chunk: Buffer, from: number): number => {
    for (let at = chunk.indexOf(LF, from); at >= 0; at = chunk.indexOf(LF, at + 1)) {
      if (unit === 1) return at;
      const start = at & ~1;
      if (start + 1 < chunk.length && unitAt(chunk, start) === LF) return start;
    }
    return -1;
  };
  const isFull = () => lines.length >= count || keptBefore >= mostBytes;
  const isKept = () => ended + 1 >= first && !isFull();
  const take = (chunk: Buffer, from: number, to: number): void => {
    if (to <= from) return;
    length += to - from;
    if (to - from >= unit) lastUnit = unitAt(chunk, to - unit);
    if (!isKept() || kept >= mostLineBytes) return;
    const piece = chunk.subarray(from, Math.min(to, from + mostLineBytes - kept));
    kept += piece.length;
    pieces.push(piece);
  };
  const endLine = (hasFeed: boolean): void => {
    if (isKept()) {
      const pair = hasFeed && lastUnit === CR && length > 0;
      const whole = length - (pair ? unit : 0);
      const bytes = Buffer.concat(pieces).subarray(0, whole);
      lines.push({ bytes, length: whole, ending: hasFeed ? (pair ? '\r\n' : '\n') : '' });
    }
    ended++;
    keptBefore += kept;
    pieces = [];
    kept = 0;
    length = 0;
    lastUnit = -1;
  };

  return {
    lines,
    get total() {
      return ended + (length > 0 ? 1 : 0);
    },
    get full() {
      return isFull();
    },
    push(chunk) {
      let from = 0;
      for (let feed = findFeed(chunk, 0); feed >= 0; feed = findFeed(chunk, from)) {
        take(chunk, from, feed);
        endLine(true);
        from = feed + unit;
      }
      take(chunk, from, chunk.length);
    },
    end() {
      if (length > 0) endLine(false);
    },
  };
}
