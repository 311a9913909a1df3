import { cutStart, utf8Length } from '../core/index.ts';
import type { WireEventOf } from './events.ts';
import type { ProgressPiece } from './timeline-item.ts';

/** Characters of live output that are held of each stream at least; at most twice as many. */
export const HELD_PROGRESS = 65_536;

type Stream = ProgressPiece['stream'];

/** The end of a call's live output, its streams in the order in which they spoke. */
export interface ProgressTail {
  push(event: WireEventOf<'tool_progress'>): void;
  pieces(): readonly ProgressPiece[];
}

export function createProgressTail(): ProgressTail {
  let pieces: { stream: Stream; text: string; missed?: number }[] = [];
  const held = new Map<Stream, number>();
  const nextByte = new Map<Stream, number>();

  const trim = (stream: Stream) => {
    let excess = (held.get(stream) ?? 0) - HELD_PROGRESS;
    let missed = 0;
    pieces = pieces.filter((piece) => {
      if (piece.stream !== stream || (excess <= 0 && missed === 0)) return true;
      const kept = cutStart(piece.text, piece.text.length - Math.max(0, excess));
      excess -= piece.text.length - kept.length;
      missed += (piece.missed ?? 0) + utf8Length(piece.text) - utf8Length(kept);
      if (kept === '') return false;
      piece.text = kept;
      piece.missed = missed;
      missed = 0;
      return true;
    });
    held.set(stream, HELD_PROGRESS + Math.min(0, excess));
  };

  return {
    pieces: () => pieces.map((piece) => ({ ...piece })),
    push({ stream, text, offset }) {
      const expected = nextByte.get(stream) ?? 0;
      const end = offset + utf8Length(text);
      if (end <= expected) return;
      const fresh = offset < expected ? dropBytes(text, expected - offset) : text;
      nextByte.set(stream, end);
      const last = pieces.at(-1);
      if (last?.stream === stream && offset <= expected) last.text += fresh;
      else pieces.push({ stream, text: fresh, ...(offset > expected && { missed: offset - expected }) });
      const total = (held.get(stream) ?? 0) + fresh.length;
      held.set(stream, total);
      if (total > 2 * HELD_PROGRESS) trim(stream);
    },
  };
}

/** The text without its first `bytes` bytes of UTF-8; a character that they cut goes too. */
function dropBytes(text: string, bytes: number): string {
  let left = bytes;
  let start = 0;
  for (const char of text) {
    if (left <= 0) break;
    left -= utf8Length(char);
    start += char.length;
  }
  return text.slice(start);
}
