import type { FileHandle } from 'node:fs/promises';
import { sizeText } from '../../core/index.ts';
import { fileError } from '../file-error.ts';

/** The most that one read gives; bigger files are read in ranges. */
const MOST_BYTES = 2 ** 31 - 1;
/** Files of the kernel's own say that they are empty: read until they end, this far. */
const MOST_UNSIZED = 16 * 1_048_576;
const UNSIZED_STEP = 65_536;

/** Bytes of an open file; at most up to the size that it had when it was opened. */
export async function readBytes(
  handle: FileHandle,
  size: number,
  { offset = 0, length = Number.POSITIVE_INFINITY }: { offset?: number; length?: number },
): Promise<Uint8Array> {
  if (size === 0) return readUnsized(handle, offset, Math.min(length, MOST_UNSIZED));
  const wanted = Math.max(0, Math.min(length, size - offset));
  if (wanted > MOST_BYTES) {
    throw fileError('too_large', `The file has ${sizeText(size)}; read it in ranges.`);
  }
  const bytes = Buffer.allocUnsafe(wanted);
  const filled = await fill(handle, bytes, offset);
  return filled === wanted ? bytes : bytes.subarray(0, filled);
}

async function readUnsized(handle: FileHandle, offset: number, most: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let total = 0;
  while (total < most) {
    const piece = Buffer.allocUnsafe(Math.min(UNSIZED_STEP, most - total));
    const filled = await fill(handle, piece, offset + total);
    if (filled === 0) break;
    pieces.push(piece.subarray(0, filled));
    total += filled;
  }
  return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
}

async function fill(handle: FileHandle, bytes: Buffer, offset: number): Promise<number> {
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}
