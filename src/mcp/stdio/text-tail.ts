import { tailOf } from '../../core/index.ts';

/** The end of a text that comes in pieces: at least the last `keep` bytes, less than twice as many. */
export function createTextTail(keep: number): { push(chunk: Uint8Array): void; text(max: number): string } {
  let older: Uint8Array = new Uint8Array();
  let newer: Uint8Array[] = [];
  let length = 0;
  return {
    push(chunk) {
      newer.push(chunk);
      length += chunk.length;
      if (length < keep) return;
      older = Uint8Array.from(Buffer.concat(newer).subarray(-keep));
      newer = [];
      length = 0;
    },
    text: (max) =>
      tailOf(
        Buffer.concat([older, ...newer])
          .toString('utf8')
          .trim(),
        max,
      ),
  };
}
