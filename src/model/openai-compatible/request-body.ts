import type { Message, ModelRequest, ToolDefinition } from '../../core/index.ts';
import { toolSchema } from '../tool-schema.ts';
import { encodeMessage } from './encode-message.ts';
import { optionFields, type Vendor } from './vendor.ts';

/** Encodes requests; each message and each tool list once, however often they are sent. */
export interface BodyEncoder {
  encode(request: ModelRequest): Buffer;
}

interface Bytes {
  readonly message: Buffer;
  readonly pictures?: Buffer;
}

const OPEN = Buffer.from('{"messages":[');
const COMMA = Buffer.from(',');
const PICTURES_OPEN = Buffer.from('{"role":"user","content":[');
const PICTURES_CLOSE = Buffer.from(']}');

export function createBodyEncoder(model: string, vendor: Vendor, adapter: string): BodyEncoder {
  const messages = new WeakMap<Message, Bytes>();
  const toolLists = new WeakMap<readonly ToolDefinition[], Buffer>();
  let system: { readonly text: string; readonly bytes: Buffer } | undefined;

  const bytesOf = (message: Message): Bytes => {
    const known = messages.get(message);
    if (known) return known;
    const encoded = encodeMessage(message, vendor, adapter);
    const bytes: Bytes = {
      message: json(encoded.message),
      ...(encoded.pictures
        ? { pictures: Buffer.from(encoded.pictures.map((part) => JSON.stringify(part)).join(',')) }
        : {}),
    };
    messages.set(message, bytes);
    return bytes;
  };
  const systemBytes = (text: string): Buffer => {
    if (system?.text !== text) system = { text, bytes: json({ role: 'system', content: text }) };
    return system.bytes;
  };
  const toolBytes = (tools: readonly ToolDefinition[]): Buffer => {
    const known = toolLists.get(tools);
    if (known) return known;
    const bytes = json(tools.map((tool) => encodeTool(tool, vendor)));
    toolLists.set(tools, bytes);
    return bytes;
  };

  return {
    encode(request) {
      const pieces: Buffer[] = [OPEN];
      const add = (...bytes: Buffer[]) => {
        if (pieces.length > 1) pieces.push(COMMA);
        pieces.push(...bytes);
      };
      let pictures: Buffer[] = [];
      const addPictures = () => {
        if (pictures.length === 0) return;
        add(
          PICTURES_OPEN,
          ...pictures.flatMap((part, index) => (index === 0 ? [part] : [COMMA, part])),
          PICTURES_CLOSE,
        );
        pictures = [];
      };
      if (request.system) add(systemBytes(request.system));
      for (const message of request.messages) {
        if (message.role !== 'tool') addPictures();
        const bytes = bytesOf(message);
        add(bytes.message);
        if (bytes.pictures) pictures.push(bytes.pictures);
      }
      addPictures();
      pieces.push(Buffer.from(']'));
      if (request.tools.length > 0) pieces.push(Buffer.from(',"tools":'), toolBytes(request.tools));
      const rest = JSON.stringify({
        model,
        ...optionFields(vendor, request.options),
        stream: true,
        stream_options: { include_usage: true },
      });
      pieces.push(COMMA, Buffer.from(rest.slice(1)));
      return Buffer.concat(pieces);
    },
  };
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));

function encodeTool(tool: ToolDefinition, vendor: Vendor): Record<string, unknown> {
  const schema = toolSchema(tool, vendor === 'gemini' ? 'gemini' : 'openai');
  return { type: 'function', function: { name: tool.name, description: tool.description, parameters: schema } };
}
