import { createHash } from 'node:crypto';
import { toColumn } from '../exact-text.ts';

const MAX_LENGTH = 120;
const HASH_LENGTH = 12;
/** Names that Windows keeps for devices, with any ending. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/;
/** What a changed id ends with; an id that ends so by itself is treated as a changed one. */
const HASHED = /-[0-9a-f]{12}$/;

/**
 * A file or folder name for any id: lower-case letters, digits, `.`, `_` and `-`, at most 120 characters.
 * An id that is such a name stays as it is; any other gets 12 hex digits of its sha-256, so that different
 * ids have different names, on disks that fold case too.
 */
export function safeFileName(id: string): string {
  const cleaned = id
    .slice(0, MAX_LENGTH + 1)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '_')
    .replace(/^[.-]+|\.+$/g, '')
    .replace(RESERVED, '_$&');
  const isSafe = cleaned === id && id !== '' && id.length <= MAX_LENGTH && !HASHED.test(id);
  return isSafe ? id : hashedName(cleaned, toColumn(id));
}

/** The name of a further file of the same id: no other id has it, and the same content has it again. */
export function variantName(id: string, contentHash: string): string {
  return hashedName(safeFileName(id), `${toColumn(id)}\0${contentHash}`);
}

function hashedName(base: string, text: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
  const head = base.slice(0, MAX_LENGTH - HASH_LENGTH - 1);
  return head === '' ? `_-${hash}` : `${head}-${hash}`;
}
