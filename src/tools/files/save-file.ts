import type { FileStamp, ResolvedPath, ToolContext } from '../../core/index.ts';
import { hashOf } from './load-file.ts';

/** Writes a file that must still be as it was when it was loaded (null: absent); its new state is then known. */
export async function saveFile(
  target: ResolvedPath,
  bytes: Uint8Array,
  expect: FileStamp | null,
  ctx: ToolContext,
): Promise<void> {
  const { size, mtimeNs, ctimeNs } = await ctx.sandbox.write(target.real, bytes, { expect });
  ctx.files.renew(target.real, { hash: hashOf(bytes), size, mtimeNs, ctimeNs });
}
