import {
  type CallError,
  callError,
  canonicalJson,
  errorText,
  headOf,
  isObject,
  type JsonSchema,
  messageOf,
  type Part,
  type ToolContext,
  type ToolOutput,
} from '../../core/index.ts';
import { checkOutput } from '../../schema/index.ts';
import { fromBase64, mediaPart, type SavedMedia } from './media.ts';

export interface ResultParts {
  readonly server: string;
  readonly tool: string;
  readonly outputSchema: JsonSchema | undefined;
  readonly context: Pick<ToolContext, 'outputs' | 'call'>;
}

const MESSAGE_CHARS = 500;
const UNKNOWN_CHARS = 2_000;
const NOTHING = '(the tool gave no content)';

/** A server's answer to a call as an output: all of it is kept as what it is, and it is never empty. */
export async function resultOutput(result: unknown, parts: ResultParts): Promise<ToolOutput> {
  const { server, tool, outputSchema } = parts;
  if (!isObject(result)) return malformed(parts, `the result is ${result === null ? 'null' : typeof result}`, [], {});
  const saved: SavedMedia[] = [];
  const faults: string[] = [];
  const shown: Part[] = [];
  const { structuredContent } = result;
  const blocks = result['content'] ?? [];
  if (!Array.isArray(blocks))
    faults.push(`content is ${typeof blocks === 'object' ? 'an object' : `a ${typeof blocks}`} and no list`);
  for (const [index, block] of (Array.isArray(blocks) ? blocks : []).entries()) {
    const part = await blockPart(block, parts, saved);
    if (typeof part === 'string') faults.push(`content[${index}] ${part}`);
    else shown.push(part);
  }
  if (structuredContent !== undefined && !isMirrored(structuredContent, shown)) {
    shown.push({ type: 'text', text: JSON.stringify(structuredContent, null, 2) });
  }
  const data = {
    server,
    tool,
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isObject(result['_meta']) ? { _meta: result['_meta'] } : {}),
    ...(saved.length === 0 ? {} : { media: saved }),
  };
  if (faults.length > 0) return malformed(parts, faults.join('; '), shown, data);
  if (result['isError'] === true || result['isError'] === 'true') {
    const said = headOf(textOf(shown), MESSAGE_CHARS) || 'it gave no reason';
    const error = callError('failed', said, { hint: 'Correct the call, or do something else.' });
    return { content: contentOf(shown) || errorText(error), data, error };
  }
  const broken = await outputFault(outputSchema, structuredContent);
  if (broken !== undefined) {
    return withError(
      callError('failed', `${tool} of the MCP server ${server} broke its output schema ${broken}`, {
        hint: 'This is a fault of the server, not of your input; what it sent stands below.',
      }),
      shown,
      data,
    );
  }
  return { content: contentOf(shown) || NOTHING, data };
}

function malformed(parts: ResultParts, what: string, shown: readonly Part[], data: object): ToolOutput {
  const message = `${parts.tool} of the MCP server ${parts.server} answered with a malformed result: ${what}`;
  const hint = 'This is a fault of the server, not of your input; go on without it.';
  return withError(callError('failed', message, { hint }), shown, data);
}

function withError(error: CallError, shown: readonly Part[], data: object): ToolOutput {
  return { content: contentOf([{ type: 'text', text: errorText(error) }, ...shown]), data, error };
}

/** One text where there is nothing but text. */
function contentOf(parts: readonly Part[]): string | readonly Part[] {
  return parts.some((part) => part.type !== 'text') ? parts : textOf(parts);
}

const textOf = (parts: readonly Part[]) =>
  parts
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .filter((text) => text !== '')
    .join('\n');

/** A block as a part, or what is wrong with it. */
async function blockPart(block: unknown, { context }: ResultParts, saved: SavedMedia[]): Promise<Part | string> {
  if (!isObject(block)) return 'is no object';
  const { type } = block;
  const text = (said: string): Part => ({ type: 'text', text: said });
  if (type === 'text') return typeof block['text'] === 'string' ? text(block['text']) : 'is a text block without text';
  if (type === 'image' || type === 'audio') {
    const bytes = fromBase64(block['data']);
    if (bytes === undefined) return `is of the type ${type} and holds no base64 data`;
    return mediaPart(type, word(block['mimeType']) ?? 'application/octet-stream', bytes, context, saved);
  }
  if (type === 'resource_link') {
    const about = [word(block['title']), word(block['description'])].filter((each) => each !== undefined).join(': ');
    const name = word(block['name']) ?? 'resource';
    return text(`[link to ${name}: ${word(block['uri']) ?? 'no address'}${about === '' ? '' : ` (${about})`}]`);
  }
  if (type === 'resource') {
    const resource = block['resource'];
    if (!isObject(resource)) return 'is a resource block without a resource';
    const uri = word(resource['uri']) ?? 'no address';
    if (typeof resource['text'] === 'string') return text(`[resource ${uri}]\n${resource['text']}`);
    const bytes = fromBase64(resource['blob']);
    if (bytes === undefined) return 'is a resource with neither text nor data';
    const mimeType = word(resource['mimeType']) ?? 'application/octet-stream';
    const kind = mimeType.startsWith('image/') ? 'image' : 'resource';
    return mediaPart(kind, mimeType, bytes, context, saved);
  }
  if (typeof type !== 'string') return 'has no type';
  return text(`[content of the unknown type ${JSON.stringify(type)}: ${headOf(JSON.stringify(block), UNKNOWN_CHARS)}]`);
}

const word = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** The text already says what the structured content says. */
function isMirrored(structured: unknown, shown: readonly Part[]): boolean {
  const wanted = canonicalJson(structured);
  return shown.some((part) => {
    if (part.type !== 'text' || part.text.length < 2) return false;
    try {
      return canonicalJson(JSON.parse(part.text)) === wanted;
    } catch {
      return false;
    }
  });
}

/** Where structured content breaks its schema. A schema that means nothing holds nobody to anything. */
async function outputFault(schema: JsonSchema | undefined, structured: unknown): Promise<string | undefined> {
  if (schema === undefined) return undefined;
  if (structured === undefined) return 'by leaving the structured content out';
  try {
    const checked = await checkOutput(schema, structured);
    return checked.ok ? undefined : `at ${checked.pointer || '/'}: ${checked.message}`;
  } catch (error) {
    return `in a way that cannot be judged: ${messageOf(error)}`;
  }
}
