import { isUtf8 } from 'node:buffer';
import { binaryType } from './binary-type.ts';
import { guessLegacyEncoding, type LegacyGuess } from './guess-legacy-encoding.ts';

export interface TextEncoding {
  /** `utf-8`, `utf-16le`, `utf-16be`, or a legacy encoding's name. */
  readonly name: string;
  /** Bytes of the byte order mark. */
  readonly bom: number;
  /** Every byte is decoded without loss. */
  readonly strict: boolean;
  /** False: guessed from few characters; text that is not ASCII must not be written with it. */
  readonly certain: boolean;
}

export type FileContent =
  | { readonly kind: 'text'; readonly encoding: TextEncoding }
  | { readonly kind: 'binary'; readonly type: string };

const SAMPLE = 65_536;
/** Control characters that do not make a text binary. */
const USUAL_CONTROLS = new Set([8, 9, 10, 12, 13, 27]);

export const UTF_8: TextEncoding = { name: 'utf-8', bom: 0, strict: true, certain: true };

/**
 * What bytes are: text and how it is written down, or binary and of which type. Told by content alone:
 * a byte order mark, then strict UTF-8, then a guess. `whole` is false when they are only a file's beginning.
 */
export async function inspectBytes(bytes: Uint8Array, whole: boolean): Promise<FileContent> {
  const marked = byMark(bytes, whole);
  if (marked) return marked;
  const strict = isStrictUtf8(bytes, whole);
  const { nuls, controls } = countControls(bytes.subarray(0, SAMPLE));
  const few = Math.max(2, Math.min(bytes.length, SAMPLE) / 100);
  if (strict && nuls + controls <= few) return text({ ...UTF_8 });
  const wide = wideWithoutMark(bytes.subarray(0, SAMPLE), nuls);
  if (wide) return text({ name: wide, bom: 0, strict: true, certain: true });
  const type = await binaryType(bytes.subarray(0, SAMPLE));
  if (type !== undefined || strict || nuls > 0 || controls > few) {
    return { kind: 'binary', type: type ?? 'application/octet-stream' };
  }
  return text(fromGuess(await guessLegacyEncoding(bytes)));
}

const text = (encoding: TextEncoding): FileContent => ({ kind: 'text', encoding });

const fromGuess = (guess: LegacyGuess): TextEncoding => ({ ...guess, bom: 0, strict: false });

function byMark(bytes: Uint8Array, whole: boolean): FileContent | undefined {
  const starts = (...mark: number[]) => mark.every((byte, index) => bytes[index] === byte);
  if (starts(0xff, 0xfe, 0, 0) || starts(0, 0, 0xfe, 0xff)) return { kind: 'binary', type: 'text in UTF-32' };
  if (starts(0xff, 0xfe)) return text({ name: 'utf-16le', bom: 2, strict: true, certain: true });
  if (starts(0xfe, 0xff)) return text({ name: 'utf-16be', bom: 2, strict: true, certain: true });
  if (!starts(0xef, 0xbb, 0xbf)) return undefined;
  return text({ name: 'utf-8', bom: 3, strict: isStrictUtf8(bytes, whole), certain: true });
}

function isStrictUtf8(bytes: Uint8Array, whole: boolean): boolean {
  if (whole) return isUtf8(bytes);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function countControls(bytes: Uint8Array): { nuls: number; controls: number } {
  let nuls = 0;
  let controls = 0;
  for (const byte of bytes) {
    if (byte === 0) nuls++;
    else if (byte < 32 && !USUAL_CONTROLS.has(byte)) controls++;
  }
  return { nuls, controls };
}

/** UTF-16 without a mark: nearly every second byte is zero, hardly any of the others, and the text is plain. */
function wideWithoutMark(bytes: Uint8Array, nuls: number): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes.length < 8 || nuls < bytes.length * 0.35) return undefined;
  const counts = [0, 0];
  const controls = [0, 0];
  for (const [at, byte] of bytes.entries()) {
    const side = at % 2;
    if (byte === 0) counts[side] = (counts[side] as number) + 1;
    else if (byte < 32 && !USUAL_CONTROLS.has(byte)) controls[side] = (controls[side] as number) + 1;
  }
  const [even = 0, odd = 0] = counts;
  const isPlain = (zeros: number, others: number, strange: number | undefined) =>
    zeros > bytes.length * 0.35 && others < bytes.length * 0.02 && strange === 0;
  if (isPlain(odd, even, controls[0])) return 'utf-16le';
  return isPlain(even, odd, controls[1]) ? 'utf-16be' : undefined;
}
