import type { Codec } from './codec.ts';
import type { DecodedLine } from './decoded-line.ts';

/** Where places of a text are in the file's bytes; one pass over ascending indices. */
export function byteOffsets(
  indices: readonly number[],
  text: string,
  bom: number,
  codec: Codec,
  lines: readonly DecodedLine[] | undefined,
): (number | undefined)[] {
  if (lines) return offsetsByLine(indices, bom, codec, lines);
  if (codec.unit === 2) return indices.map((index) => bom + 2 * index);
  let done = 0;
  let bytes = bom;
  return indices.map((index) => {
    bytes += Buffer.byteLength(text.slice(done, index));
    done = index;
    return bytes;
  });
}

function offsetsByLine(
  indices: readonly number[],
  bom: number,
  codec: Codec,
  lines: readonly DecodedLine[],
): (number | undefined)[] {
  let line = 0;
  let textStart = 0;
  let byteStart = bom;
  /** The last place of this line whose offset is known. */
  let known = { index: 0, offset: 0 };
  return indices.map((index) => {
    for (let current = lines[line]; current && index >= textStart + current.text.length; current = lines[line]) {
      textStart += current.text.length;
      byteStart += current.bytes.length;
      known = { index: 0, offset: 0 };
      line++;
    }
    const current = lines[line];
    if (!current) return index === textStart ? byteStart : undefined;
    const offset = offsetInLine(index - textStart, known, current, codec);
    if (offset !== undefined) known = { index: index - textStart, offset };
    return offset === undefined ? undefined : byteStart + offset;
  });
}

/**
 * Forward from a known place, as long as the bytes in between decode to just the text in between and its
 * end is no replacement character (which could stand for half of something). Behind such a character
 * backward from the end of the line, when all bytes there are plain again.
 */
function offsetInLine(
  index: number,
  known: { readonly index: number; readonly offset: number },
  { bytes, text }: DecodedLine,
  codec: Codec,
): number | undefined {
  if (text.length === bytes.length) return index;
  const between = text.slice(known.index, index);
  const size = codec.encode(between)?.length;
  if (size !== undefined && !between.endsWith('\ufffd')) {
    const end = known.offset + size;
    if (codec.decode(bytes.subarray(known.offset, end)) === between) return end;
  }
  const after = text.slice(index);
  const rest = codec.encode(after)?.length;
  if (rest === undefined || rest > bytes.length || after.includes('\ufffd')) return undefined;
  const offset = bytes.length - rest;
  const isExact =
    codec.decode(bytes.subarray(offset)) === after && codec.decode(bytes.subarray(0, offset)) === text.slice(0, index);
  return isExact ? offset : undefined;
}
