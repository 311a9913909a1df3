import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** True when the file holds exactly the content that the size and sha-256 describe. Reads it only when the size is right. */
export async function sameContent(file: string, bytes: number, sha256: string): Promise<boolean> {
  if ((await stat(file)).size !== bytes) return false;
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex') === sha256;
}
