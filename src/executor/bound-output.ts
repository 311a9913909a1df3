import {
  type Content,
  headOf,
  type Masker,
  messageOf,
  type Outputs,
  type Part,
  type StoredOutput,
  sizeText,
  type ToolOutput,
  tailOf,
  textOf,
} from '../core/index.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { neverEmpty } from './to-output.ts';

export interface BoundOptions {
  readonly callId: string;
  readonly maxChars: number;
  readonly maxTokens: number;
  readonly outputs: Outputs;
  readonly masker: Masker | undefined;
}

const PREVIEW_CHARS = 2_000;
/** Text goes to the file in pieces of this size, so that a big output is not held twice. */
const PIECE_CHARS = 1 << 20;

/**
 * What the model gets of an output: secrets masked, and when it is too long, a stub that names the file
 * that holds the whole of it. Pictures are left as they are. `shortened` tells that text was taken away.
 */
export async function boundOutput(
  raw: ToolOutput,
  options: BoundOptions,
): Promise<{ output: ToolOutput; shortened: boolean }> {
  const output = neverEmpty(raw);
  const length = textLength(output.content);
  if (options.maxChars === Number.POSITIVE_INFINITY)
    return { output: masked(output, options.masker), shortened: false };
  if (length <= options.maxChars) {
    const whole = masked(output, options.masker);
    if (!isOverTokens(textOf(whole.content), options.maxTokens)) return { output: whole, shortened: false };
  }
  return { output: await storeOutput(output, options), shortened: true };
}

/** Moves an output's text to a file and puts a stub in its place. A failing store costs the middle of the text, never the result. */
export async function storeOutput(output: ToolOutput, options: BoundOptions): Promise<ToolOutput> {
  const text = typeof output.content === 'string' ? output.content : textOf(output.content.filter(isText));
  const images = typeof output.content === 'string' ? [] : output.content.filter((part) => part.type === 'image');
  const mask = (piece: string) => (options.masker ? options.masker.mask(piece) : piece);
  const preview = (max: number) => ({ head: mask(headOf(text, max)), tail: mask(tailOf(text, max)) });
  try {
    const stored = output.stored ?? (await save(text, options));
    const { head, tail } = preview(PREVIEW_CHARS / 2);
    return { ...output, content: withImages(stub(stored, head, tail), images), stored };
  } catch (error) {
    const { head, tail } = preview(Math.max(200, Math.floor(Math.min(options.maxChars, PREVIEW_CHARS * 2) / 2)));
    const note = `[${text.length} characters; the middle is left out, and the whole could not be stored: ${messageOf(error)}]`;
    return { ...output, content: withImages(`${head}\n${note}\n${tail}`, images) };
  }
}

/** The outputs port masks what is written to it, as it does for tools that write to it themselves. */
async function save(text: string, { outputs, callId }: BoundOptions): Promise<StoredOutput> {
  const writer = await outputs.open(callId);
  try {
    for (let start = 0; start < text.length; ) {
      let end = Math.min(text.length, start + PIECE_CHARS);
      const last = text.charCodeAt(end - 1);
      if (end < text.length && last >= 0xd800 && last <= 0xdbff) end--;
      await writer.write(text.slice(start, end));
      start = end;
    }
    return await writer.close();
  } catch (error) {
    await writer.discard().catch(() => {});
    throw error;
  }
}

function stub(stored: StoredOutput, head: string, tail: string): string {
  return [
    '<persisted-output>',
    `The output is too large to show (${sizeText(stored.bytes)}). All of it is in ${stored.path}; read it with read_file (offset, limit) or search it with grep_files.`,
    '',
    'It begins:',
    head,
    '[...]',
    'It ends:',
    tail,
    '</persisted-output>',
  ].join('\n');
}

const isText = (part: Part) => part.type === 'text';

function withImages(text: string, images: readonly Part[]): Content {
  return images.length === 0 ? text : [{ type: 'text', text }, ...images];
}

function textLength(content: Content): number {
  if (typeof content === 'string') return content.length;
  return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
}

/** No text has more tokens than about 1.5 a character; most need not be looked at. */
function isOverTokens(text: string, maxTokens: number): boolean {
  return text.length * 1.5 > maxTokens && estimateTokens(text) > maxTokens;
}

function masked(output: ToolOutput, masker: Masker | undefined): ToolOutput {
  if (!masker) return output;
  const { content } = output;
  if (typeof content === 'string') return { ...output, content: masker.mask(content) };
  return {
    ...output,
    content: content.map((part) => (part.type === 'text' ? { ...part, text: masker.mask(part.text) } : part)),
  };
}
