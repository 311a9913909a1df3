/** Pictures that models take. */
const TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/**
 * Whether bytes are a picture of a type that models take, from beginning to end: a provider refuses the
 * whole request when one picture in it is damaged.
 */
export function isWholeImage(type: string, bytes: Buffer): boolean {
  if (!TYPES.has(type) || bytes.length < 24) return false;
  if (type === 'image/png') return bytes.toString('latin1', 12, 16) === 'IHDR' && bytes.includes('IEND', -16, 'latin1');
  if (type === 'image/jpeg') return bytes.includes(Buffer.from([0xff, 0xd9]), Math.max(2, bytes.length - 1_024));
  if (type === 'image/gif') return bytes.includes(0x3b, Math.max(13, bytes.length - 64));
  return bytes.readUInt32LE(4) + 8 <= bytes.length + 1;
}
