import { createHash } from 'node:crypto';

/** A skill's name as the name of a folder: what was changed or cut carries a piece of the name's hash. */
export function folderNameOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);
  if (plain === name && plain === plain.toLowerCase()) return plain;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return plain === '' ? hash : `${plain}-${hash}`;
}
