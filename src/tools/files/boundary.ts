/**
 * Whether an offset lies between two characters in every multi-byte encoding at once: Shift_JIS, GB18030,
 * Big5, EUC. A byte after a high one can be its second half when it is a digit or above; in GB18030 a
 * high byte after a digit after a high byte can be the third quarter.
 */
export function isSafeBoundary(bytes: Uint8Array, offset: number): boolean {
  const before = bytes[offset - 1];
  const after = bytes[offset];
  if (before === undefined || after === undefined) return true;
  if (before >= 0x80) return after < 0x30;
  const isDigit = before >= 0x30 && before <= 0x39;
  return !(isDigit && after >= 0x80 && (bytes[offset - 2] ?? 0) >= 0x80);
}
