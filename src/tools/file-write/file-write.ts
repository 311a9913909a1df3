import { z } from 'zod';
import { defineTool, type ResolvedPath, type ToolContext, type ToolOutput } from '../../core/index.ts';
import { claimFile, pathSubject } from '../files/claim-file.ts';
import { requireRegular } from '../files/load-file.ts';
import { saveFile } from '../files/save-file.ts';
import { requireWellFormed } from '../files/well-formed.ts';
import { appendToFile } from './append-to-file.ts';
import { overwriteFile } from './overwrite-file.ts';
import { written } from './written.ts';

const input = z.strictObject({
  path: z.string().describe('The file: relative to the working folder, or absolute. Missing folders are made.'),
  content: z.string().describe('The text, taken exactly as it is: nothing is added at its end.'),
  mode: z
    .enum(['overwrite', 'append'])
    .default('overwrite')
    .describe('overwrite replaces the whole file, append adds to its end.'),
});

/** Writes a whole file, or adds to its end. */
export const fileWrite = defineTool({
  name: 'file_write',
  description:
    'Makes a file, overwrites it whole, or appends to it. The content is written exactly as given, as UTF-8; a file that begins with a byte order mark (UTF-8 or UTF-16) keeps the mark and that encoding. A file that exists must have been read with read_file before it is overwritten. To change a part of a file use file_edit.',
  input,
  traits: { readOnly: false, concurrencySafe: false, interrupt: 'block' },
  aliases: [{ name: 'Write', input: { file_path: 'path' } }],
  subjects: ({ path }) => pathSubject(path, 'write'),
  claims: ({ path }, context) => claimFile(path, 'write', context),
  async run({ path, content, mode }, ctx): Promise<ToolOutput> {
    requireWellFormed('content', content);
    const target = await ctx.roots.resolve(path, 'write');
    const stat = await ctx.sandbox.stat(target.real);
    if (!stat) return createFile(target, content, ctx);
    requireRegular(ctx.roots.display(target.path), stat);
    return mode === 'append' ? appendToFile(target, content, ctx) : overwriteFile(target, content, ctx);
  },
});

async function createFile(target: ResolvedPath, content: string, ctx: ToolContext): Promise<ToolOutput> {
  const bytes = Buffer.from(content);
  await saveFile(target, bytes, null, ctx);
  return written('Created', target, bytes, { before: '', after: content }, ctx);
}
