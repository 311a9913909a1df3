import { callError, isObject, type Outputs, type Part, sizeText, type ToolOutput } from '../../core/index.ts';

export interface ReadResult {
  readonly output: ToolOutput;
  /** What the output schema is held against, where there is one. */
  readonly structured: unknown;
}

/** Where what is no text or picture is kept. */
export interface BlobStore {
  readonly callId: string;
  readonly outputs: Pick<Outputs, 'open'>;
}

/**
 * A server's result as content for the model and data for the screen (MCP tools, both eras). Structured content is
 * shown as JSON unless the text says the same; what a model cannot be shown is described and kept; nothing is empty.
 */
export async function toOutput(result: Readonly<Record<string, unknown>>, store: BlobStore): Promise<ReadResult> {
  const { content, structuredContent: structured, isError, _meta: meta } = result;
  if (content !== undefined && !Array.isArray(content)) {
    return { structured, output: malformed(`its content is ${kindOf(content)} where a list belongs`) };
  }
  const parts: Part[] = [];
  const faults: string[] = [];
  for (const [index, block] of (content ?? []).entries()) {
    const read = await readBlock(block, store, index);
    if (typeof read === 'string') faults.push(`part ${index + 1} ${read}`);
    else parts.push(...read);
  }
  if (structured !== undefined && !isMirrored(structured, parts)) {
    parts.push({ type: 'text', text: JSON.stringify(structured, null, 2) });
  }
  const wentWrong = isError === true || isError === 'true';
  if (faults.length > 0 && parts.length === 0) return { structured, output: malformed(faults.join('; ')) };
  for (const fault of faults) parts.push({ type: 'text', text: `[${fault}]` });
  const data = {
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(isObject(meta) && Object.keys(meta).length > 0 ? { _meta: meta } : {}),
  };
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return {
    structured,
    output: {
      content: contentOf(parts, wentWrong),
      ...(Object.keys(data).length === 0 ? {} : { data }),
      ...(wentWrong ? { error: callError('failed', firstLine(text) || 'the tool failed and said nothing') } : {}),
    },
  };
}

/** One text stays a text; of nothing at all the executor says so. */
function contentOf(parts: readonly Part[], wentWrong: boolean): ToolOutput['content'] {
  const [only] = parts;
  if (only === undefined) return wentWrong ? 'The tool failed and said nothing.' : '';
  return parts.length === 1 && only.type === 'text' ? only.text : parts;
}

/** The parts of a block, or what is wrong with it. */
async function readBlock(block: unknown, store: BlobStore, index: number): Promise<Part[] | string> {
  if (!isObject(block)) return `is ${kindOf(block)}, no block`;
  const text = (value: string): Part[] => [{ type: 'text', text: value }];
  const { type, data, mimeType } = block;
  switch (type) {
    case 'text':
      return typeof block['text'] === 'string' ? text(block['text']) : 'is a text without its text';
    case 'image':
      if (typeof data !== 'string' || typeof mimeType !== 'string') return 'is an image without its data';
      return [{ type: 'image', mimeType, data }];
    case 'audio':
      if (typeof data !== 'string') return 'is a sound without its data';
      return text(await keep(`audio ${String(mimeType ?? '')}`.trim(), data, store, index));
    case 'resource_link':
      return text(`[resource ${named(block)}: ${String(block['uri'] ?? '')}]`);
    case 'resource':
      return readResource(block['resource'], store, index);
    default:
      return text(`[a part of the kind ${JSON.stringify(String(type).slice(0, 40))}, which cannot be shown]`);
  }
}

async function readResource(resource: unknown, store: BlobStore, index: number): Promise<Part[] | string> {
  if (!isObject(resource)) return 'is a resource without its content';
  const head = `[resource ${String(resource['uri'] ?? 'without an address')}]`;
  if (typeof resource['text'] === 'string') return [{ type: 'text', text: `${head}\n${resource['text']}` }];
  const { blob } = resource;
  if (typeof blob !== 'string') return 'is a resource without its content';
  const mimeType = String(resource['mimeType'] ?? 'application/octet-stream');
  if (mimeType.startsWith('image/')) {
    return [
      { type: 'text', text: head },
      { type: 'image', mimeType, data: blob },
    ];
  }
  return [{ type: 'text', text: `${head} ${await keep(mimeType, blob, store, index)}` }];
}

/** Bytes that no model reads are kept as they came, and named. */
async function keep(what: string, base64: string, { callId, outputs }: BlobStore, index: number): Promise<string> {
  const bytes = Buffer.from(base64, 'base64');
  try {
    const writer = await outputs.open(`${callId}-part-${index + 1}`);
    await writer.write(bytes);
    const { path } = await writer.close();
    return `[${what}, ${sizeText(bytes.length)}, kept as ${path}]`;
  } catch {
    return `[${what}, ${sizeText(bytes.length)}, which could not be kept]`;
  }
}

/** Servers send structured content as JSON text, too, for clients that do not know it. */
function isMirrored(structured: unknown, parts: readonly Part[]): boolean {
  const wanted = JSON.stringify(structured);
  return parts.some((part) => {
    if (part.type !== 'text' || !/^\s*[{["\d\-tfn]/.test(part.text)) return false;
    try {
      return JSON.stringify(JSON.parse(part.text)) === wanted;
    } catch {
      return false;
    }
  });
}

function malformed(what: string): ToolOutput {
  const message = `The server's answer cannot be read: ${what}.`;
  return {
    content: message,
    error: callError('failed', message, { hint: 'This is a fault of the server; go on without it.' }),
  };
}

const named = (block: Record<string, unknown>) => String(block['title'] ?? block['name'] ?? 'without a name');
const firstLine = (text: string) => text.trim().split('\n', 1)[0]?.slice(0, 500) ?? '';
const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`);
