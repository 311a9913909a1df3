import { z } from 'zod';
import {
  defineTool,
  sameStamp,
  sizeText,
  type ToolContext,
  type ToolOutput,
  ToolwrightError,
} from '../../core/index.ts';
import { claimFile, pathSubject } from '../files/claim-file.ts';
import { inspectBytes } from '../files/text-encoding.ts';
import { type LineRange, readText } from './read-text.ts';
import { openSource, type Source, stampOf } from './source.ts';
import { isWholeImage } from './whole-image.ts';

const DEFAULT_LINES = 2_000;
const MOST_IMAGE_BYTES = 5 * 1_048_576;
/** What a big file's encoding is told by. */
const HEAD_BYTES = 262_144;

const input = z.strictObject({
  path: z
    .string()
    .describe(
      'The file: relative to the working folder, or absolute. Paths such as outputs/x.txt of stored results work too.',
    ),
  offset: z.number().int().optional().describe('First line to show, counted from 1. Default 1.'),
  limit: z.number().int().optional().describe(`How many lines to show. Default ${DEFAULT_LINES}.`),
});

/** Shows a part of a text file with line numbers, or a picture. */
export const readFile = defineTool({
  name: 'read_file',
  description: `Reads a file. Each line of the answer is the line's number, one tab, then its exact text; the number and the tab are not part of the file. A last line in brackets says which lines of how many were shown and how to go on. At most ${DEFAULT_LINES} lines or about 50,000 characters are shown at once; lines are cut at 2,000 characters. Pictures (PNG, JPEG, GIF, WebP) are shown as pictures. Read a file before you edit or overwrite it. For a folder use glob_files.`,
  input,
  traits: { readOnly: true, concurrencySafe: true, interrupt: 'cancel', maxOutputChars: Number.POSITIVE_INFINITY },
  aliases: [{ name: 'file_read' }, { name: 'Read', input: { file_path: 'path' } }],
  subjects: ({ path }) => pathSubject(path, 'read'),
  claims: ({ path }, context) => claimFile(path, 'read', context),
  async run({ path, offset = 1, limit = DEFAULT_LINES }, ctx): Promise<ToolOutput> {
    const range = checkRange(offset, limit);
    let earlier = '';
    const source = await openSource(path, ctx, (real, stat) => {
      const shown = ctx.files.shown(real, range.offset, range.limit);
      if (!shown || !sameStamp(shown.stamp, stat)) return false;
      earlier = shown.callId;
      return true;
    });
    if (source === 'unchanged') return unchanged(path, earlier);
    const output = await show(source, range, ctx);
    await source.file?.settle();
    if (source.file && typeof output.content === 'string') {
      ctx.files.show(source.file.real, { callId: ctx.call.id, ...range, stamp: stampOf(source.file.stat) });
    }
    return output;
  },
});

function checkRange(offset: number, limit: number): LineRange {
  const refuse = (message: string, hint: string): never => {
    throw new ToolwrightError('invalid_input', message, { hint });
  };
  if (offset === 0) refuse('offset: lines are counted from 1, so 0 is no line.', 'Use offset 1 for the first line.');
  if (offset < 0) {
    refuse(
      `offset: ${offset} is negative; counting from the end is not possible.`,
      'Read once without offset: the last line of the answer says how many lines there are.',
    );
  }
  if (limit < 1) refuse(`limit: ${limit} lines would show nothing.`, 'Use a limit of 1 or more, or leave it out.');
  return { offset, limit };
}

function unchanged(path: string, callId: string): ToolOutput {
  return {
    content: `${path} has not changed since you read these lines (call ${callId}); that result still stands above and is current. Use it.`,
    data: { path, unchanged: true, callId },
  };
}

async function show(source: Source, range: LineRange, ctx: ToolContext): Promise<ToolOutput> {
  if (source.size === 0) {
    return { content: `${source.shown} is empty (0 bytes).`, data: { path: source.shown, bytes: 0, lines: 0 } };
  }
  const head = source.whole ?? (await source.read(0, HEAD_BYTES));
  const content = await inspectBytes(head, source.whole !== undefined);
  if (content.kind === 'text') {
    if (source.size > content.encoding.bom) return readText(source, content.encoding, range, ctx);
    return { content: `${source.shown} is empty but for a byte order mark (${content.encoding.name}).` };
  }
  const { type } = content;
  const data = { path: source.shown, bytes: source.size, type, binary: true };
  if (source.size <= MOST_IMAGE_BYTES && type.startsWith('image/')) {
    const bytes = source.whole ?? (await source.read(0, source.size));
    if (isWholeImage(type, bytes)) {
      const text = `${source.shown}: ${type}, ${sizeText(source.size)}.`;
      return {
        content: [
          { type: 'text', text },
          { type: 'image', mimeType: type, data: bytes.toString('base64') },
        ],
        data,
      };
    }
  }
  return { content: binaryText(source, type), data };
}

function binaryText({ shown, size }: Source, type: string): string {
  const bytes = `${size.toLocaleString('en-US')} bytes`;
  const why = type.startsWith('image/')
    ? ' It is too big, damaged, or of a kind that cannot be shown as a picture.'
    : '';
  return `${shown} is binary: ${bytes}, type ${type}. Its content is not shown.${why} To look into it use run_bash (file, xxd, strings).`;
}
