/** Beginnings that are certain, so that a damaged file is told too. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['474946383761', 'image/gif'],
  ['474946383961', 'image/gif'],
  ['7f454c46', 'application/x-elf'],
  ['255044462d', 'application/pdf'],
  ['1f8b', 'application/gzip'],
];
const LONGEST = 8;

/** The media type that a file's beginning tells; undefined when it tells none. */
export async function binaryType(head: Uint8Array): Promise<string | undefined> {
  const hex = Buffer.from(head.subarray(0, LONGEST)).toString('hex');
  const known = SIGNATURES.find(([signature]) => hex.startsWith(signature));
  if (known) return known[1];
  const { fileTypeFromBuffer } = await import('file-type');
  try {
    return (await fileTypeFromBuffer(head))?.mime;
  } catch {
    return undefined;
  }
}
