import { type FileHandle, open, unlink } from 'node:fs/promises';

export interface SpoolOptions {
  /** Path that the names of the spool's files begin with. */
  readonly path: string;
  /** The end of the stream that is held in memory. */
  readonly memoryBytes?: number;
  /** Size at which a new file is begun; old ones are removed whole. */
  readonly fileBytes?: number;
}

/** The bytes of one stream by their place in it: the newest in memory, the older ones in files until they are dropped. */
export interface Spool {
  /** Place of the oldest byte that is kept. */
  readonly start: number;
  /** Where the next byte will stand. */
  readonly end: number;
  add(bytes: Uint8Array): Promise<void>;
  /** At most `max` bytes from `offset` or from the oldest kept one; fewer at borders, none only at the end. */
  read(offset: number, max: number): Promise<{ bytes: Uint8Array; next: number }>;
  /** Bytes before `offset` are not asked for again; their files go once they hold no others. */
  drop(offset: number): Promise<void>;
  /** Removes everything. What is added afterwards is forgotten. */
  close(): Promise<void>;
}

interface Segment {
  readonly handle: FileHandle;
  readonly path: string;
  readonly start: number;
  end: number;
}

const MEMORY_BYTES = 262_144;
const FILE_BYTES = 16 * 1_048_576;
const FIRST_BYTES = 4_096;

export function createSpool({ path, memoryBytes = MEMORY_BYTES, fileBytes = FILE_BYTES }: SpoolOptions): Spool {
  let segments: Segment[] = [];
  /** Its first `end - tailStart` bytes count. A reader's view stays valid: what it shows is never written over. */
  let tail = Buffer.allocUnsafe(0);
  let tailStart = 0;
  let end = 0;
  let count = 0;
  let closed = false;
  let work: Promise<void> = Promise.resolve();

  const segmentToFill = async (): Promise<Segment> => {
    const last = segments.at(-1);
    if (last && last.end - last.start < fileBytes) return last;
    const name = `${path}.${count++}`;
    const handle = await open(name, 'wx+', 0o600);
    const fresh = { handle, path: name, start: tailStart, end: tailStart };
    segments.push(fresh);
    return fresh;
  };
  const flush = async (): Promise<void> => {
    if (closed) return;
    const block = tail.subarray(0, end - tailStart);
    const segment = await segmentToFill();
    for (let written = 0; written < block.byteLength; ) {
      const { bytesWritten } = await segment.handle.write(
        block,
        written,
        block.byteLength - written,
        segment.end - segment.start + written,
      );
      written += bytesWritten;
    }
    const added = tail.subarray(block.byteLength, end - tailStart);
    segment.end += block.byteLength;
    tailStart += block.byteLength;
    tail = Buffer.from(added);
  };
  const remove = async (segment: Segment) => {
    await segment.handle.close();
    await unlink(segment.path);
  };
  /** One after the other, so that a file is never closed under a write. */
  const inTurn = (task: () => Promise<void>): Promise<void> => {
    const mine = work.then(task);
    work = mine.catch(() => {});
    return mine;
  };
  const append = (bytes: Uint8Array) => {
    const used = end - tailStart;
    if (tail.byteLength < used + bytes.byteLength) {
      const larger = Buffer.allocUnsafe(Math.max(2 * tail.byteLength, used + bytes.byteLength, FIRST_BYTES));
      tail.copy(larger, 0, 0, used);
      tail = larger;
    }
    tail.set(bytes, used);
    end += bytes.byteLength;
  };

  return {
    get start() {
      return segments[0]?.start ?? tailStart;
    },
    get end() {
      return end;
    },
    async add(bytes) {
      if (closed || bytes.byteLength === 0) return;
      append(bytes);
      if (end - tailStart >= memoryBytes) await inTurn(flush);
    },
    async read(offset, max) {
      const from = Math.min(Math.max(offset, this.start), end);
      const segment = segments.find((one) => from < one.end);
      if (!segment) {
        const bytes = tail.subarray(from - tailStart, Math.min(end - tailStart, from - tailStart + max));
        return { bytes, next: from + bytes.byteLength };
      }
      const wanted = Buffer.allocUnsafe(Math.min(max, segment.end - from));
      const { bytesRead } = await segment.handle.read(wanted, 0, wanted.byteLength, from - segment.start);
      return { bytes: wanted.subarray(0, bytesRead), next: from + bytesRead };
    },
    drop: (offset) =>
      inTurn(async () => {
        while (segments[0] && segments[0].end <= offset && segments[0].end - segments[0].start >= fileBytes) {
          await remove(segments.shift() as Segment);
        }
      }),
    close: () => {
      closed = true;
      return inTurn(async () => {
        const all = segments;
        segments = [];
        tail = Buffer.allocUnsafe(0);
        tailStart = end;
        await Promise.all(all.map(remove));
      });
    },
  };
}
