import { messageOf, type Part, sizeText, type ToolContext } from '../../core/index.ts';

/** Pictures that models are shown; others are saved. */
const SHOWN_IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** A bigger picture is refused by providers. */
const MOST_IMAGE_BYTES = 5 * 1_048_576;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

export interface SavedMedia {
  readonly kind: string;
  readonly mimeType: string;
  readonly bytes: number;
  readonly path?: string;
}

/** Bytes that a text stands for; undefined when it is no base64. */
export function fromBase64(text: unknown): Buffer | undefined {
  if (typeof text !== 'string') return undefined;
  const packed = text.replace(/\s+/g, '');
  return BASE64.test(packed) ? Buffer.from(packed, 'base64') : undefined;
}

/** A picture as a part where it can be shown; else, and for all other bytes, a line that says what and where it is. */
export async function mediaPart(
  kind: string,
  mimeType: string,
  bytes: Buffer,
  context: Pick<ToolContext, 'outputs' | 'call'>,
  saved: SavedMedia[],
): Promise<Part> {
  if (SHOWN_IMAGES.has(mimeType) && bytes.length <= MOST_IMAGE_BYTES && kind === 'image') {
    saved.push({ kind, mimeType, bytes: bytes.length });
    return { type: 'image', mimeType, data: bytes.toString('base64') };
  }
  const size = sizeText(bytes.length);
  try {
    const writer = await context.outputs.open(`${context.call.id}-${kind}${saved.length + 1}`);
    await writer.write(bytes.toString('base64'));
    const { path } = await writer.close();
    saved.push({ kind, mimeType, bytes: bytes.length, path });
    return { type: 'text', text: `[${kind} ${mimeType}, ${size}, saved as base64 in ${path}]` };
  } catch (error) {
    saved.push({ kind, mimeType, bytes: bytes.length });
    return { type: 'text', text: `[${kind} ${mimeType}, ${size}, could not be saved: ${messageOf(error)}]` };
  }
}
