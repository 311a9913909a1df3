import { byteOffsets } from './byte-offsets.ts';
import { type Codec, codecFor } from './codec.ts';
import type { DecodedLine } from './decoded-line.ts';
import type { TextEncoding } from './text-encoding.ts';

/** A file's bytes, the text that they say, and the way from places in the text to places in the bytes. */
export interface TextFile {
  readonly bytes: Buffer;
  /** Without the byte order mark. */
  readonly text: string;
  readonly encoding: TextEncoding;
  readonly codec: Codec;
  /** Byte offsets of text indices, which must be ascending; undefined where one cannot be told exactly. */
  offsets(indices: readonly number[]): (number | undefined)[];
}

export async function openTextFile(bytes: Buffer, encoding: TextEncoding): Promise<TextFile> {
  const codec = await codecFor(encoding);
  return textFileOf(bytes, encoding, codec);
}

/** The same, when the codec is at hand: after an edit of the same file. */
export function textFileOf(bytes: Buffer, encoding: TextEncoding, codec: Codec): TextFile {
  const body = bytes.subarray(encoding.bom);
  const lines = encoding.strict ? undefined : decodeLines(body, codec);
  return {
    bytes,
    encoding,
    codec,
    text: lines ? lines.map((line) => line.text).join('') : codec.decode(body),
    offsets(indices) {
      return byteOffsets(indices, this.text, encoding.bom, codec, lines);
    },
  };
}

/**
 * Line by line: in every legacy encoding here the byte 0x0A is a line feed and nothing else, so that what
 * cannot be decoded in one line does not spoil the others.
 */
function decodeLines(body: Buffer, codec: Codec): DecodedLine[] {
  const lines: DecodedLine[] = [];
  for (let start = 0; start < body.length; ) {
    const found = body.indexOf(10, start);
    const end = found < 0 ? body.length : found + 1;
    const bytes = body.subarray(start, end);
    lines.push({ bytes, text: codec.decode(bytes) });
    start = end;
  }
  return lines;
}
