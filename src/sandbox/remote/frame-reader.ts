import { FRAME_HEAD } from './protocol.ts';

/** Longest frame that is not output: a started or an end frame with its JSON. */
const MOST_JSON = 1_048_576;

export interface FrameHandler {
  /** A piece of an output frame, as soon as it is there; a promise holds the reading back. */
  output(kind: number, bytes: Uint8Array): void | Promise<void>;
  /** Any other frame, whole. */
  other(kind: number, body: Buffer): void;
}

/** Takes frames apart as they come, cut anywhere. `isOutput` says which kinds are passed on in pieces. */
export function createFrameReader(isOutput: (kind: number) => boolean, handler: FrameHandler) {
  let head = Buffer.alloc(0);
  let kind = 0;
  let left = 0;
  let pieces: Uint8Array[] = [];

  const startFrame = () => {
    kind = head[0] as number;
    left = head.readUInt32BE(1);
    head = Buffer.alloc(0);
    if (!isOutput(kind) && left > MOST_JSON) throw new Error(`a frame of ${left} bytes`);
    if (left === 0) finishFrame();
  };
  const finishFrame = () => {
    if (!isOutput(kind)) handler.other(kind, Buffer.concat(pieces));
    pieces = [];
  };
  const takeBody = async (piece: Uint8Array) => {
    left -= piece.byteLength;
    if (!isOutput(kind)) pieces.push(piece);
    else await handler.output(kind, piece);
    if (left === 0) finishFrame();
  };

  return {
    async push(chunk: Uint8Array): Promise<void> {
      for (let at = 0; at < chunk.byteLength; ) {
        if (left > 0) {
          const piece = chunk.subarray(at, at + left);
          at += piece.byteLength;
          await takeBody(piece);
          continue;
        }
        const piece = chunk.subarray(at, at + FRAME_HEAD - head.byteLength);
        at += piece.byteLength;
        head = Buffer.concat([head, piece]);
        if (head.byteLength === FRAME_HEAD) startFrame();
      }
    },
  };
}
