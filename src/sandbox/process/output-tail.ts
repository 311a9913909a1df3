/** The last bytes of a stream, by their place in it. */
export interface OutputTail {
  add(bytes: Uint8Array): void;
  /** At most `max` bytes from `offset`, or from the oldest kept one when that is gone; `next` follows the last one given. */
  read(offset: number, max: number): { bytes: Uint8Array; next: number };
}

/** Keeps at least the last `keep` bytes and less than twice as many. */
export function createOutputTail(keep: number): OutputTail {
  let older: Buffer = Buffer.alloc(0);
  let newer: Uint8Array[] = [];
  let newerBytes = 0;
  let total = 0;
  const join = () => Buffer.concat([older, ...newer]);
  return {
    add(bytes) {
      total += bytes.byteLength;
      newer.push(bytes);
      newerBytes += bytes.byteLength;
      if (newerBytes < keep) return;
      older = Buffer.from(Buffer.concat(newer).subarray(-keep));
      newer = [];
      newerBytes = 0;
    },
    read(offset, max) {
      const kept = join();
      const first = total - kept.byteLength;
      const from = Math.min(Math.max(offset, first), total);
      const bytes = kept.subarray(from - first, from - first + max);
      return { bytes, next: from + bytes.byteLength };
    },
  };
}
