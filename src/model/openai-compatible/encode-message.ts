import type { AssistantMessage, Content, ImagePart, Message, ToolCall, ToolMessage } from '../../core/index.ts';
import { fitCallId, OPENAI_CALL_ID } from '../call-id.ts';
import type { KeptReply } from './reply-reader.ts';
import { returnsThinking, type Vendor } from './vendor.ts';

/** A message as the protocol has it; pictures of a tool's result stand apart, as tool messages take text only. */
export interface EncodedMessage {
  readonly message: Record<string, unknown>;
  readonly pictures?: readonly Record<string, unknown>[];
}

export function encodeMessage(message: Message, vendor: Vendor, adapter: string): EncodedMessage {
  switch (message.role) {
    case 'system':
      return { message: { role: 'system', content: message.content } };
    case 'user':
      return { message: { role: 'user', content: encodeContent(message.content) } };
    case 'assistant':
      return { message: encodeAssistant(message, vendor, adapter) };
    case 'tool':
      return encodeResult(message);
  }
}

function encodeAssistant(message: AssistantMessage, vendor: Vendor, adapter: string): Record<string, unknown> {
  const calls = message.toolCalls ?? [];
  const own = message.provider?.adapter === adapter;
  const kept = own ? ((message.provider?.value ?? {}) as KeptReply) : {};
  return {
    role: 'assistant',
    content: message.content === '' && calls.length > 0 ? null : message.content,
    ...(returnsThinking(vendor, calls.length > 0) ? { reasoning_content: message.thinking ?? '' } : {}),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((call, index) => encodeCall(call, index, calls, kept)) }),
  };
}

function encodeCall(
  call: ToolCall,
  index: number,
  calls: readonly ToolCall[],
  kept: KeptReply,
): Record<string, unknown> {
  const extra =
    kept.calls?.find((entry) => entry.id === call.id) ??
    kept.calls?.find((entry) => entry.key === index && !calls.some((other) => other.id === entry.id));
  return {
    id: fitCallId(call.id, OPENAI_CALL_ID),
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
    ...(extra === undefined ? {} : { extra_content: extra.extra }),
  };
}

function encodeResult(message: ToolMessage): EncodedMessage {
  const { content, toolCallId } = message;
  const encoded = { role: 'tool', tool_call_id: fitCallId(toolCallId, OPENAI_CALL_ID) };
  if (typeof content === 'string') return { message: { ...encoded, content } };
  const pictures = content.filter((part) => part.type === 'image').map(encodePicture);
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (pictures.length === 0) return { message: { ...encoded, content: texts.join('\n') } };
  const note = `[${pictures.length === 1 ? 'an image' : `${pictures.length} images`}: see the next user message]`;
  const heading = { type: 'text', text: `Images from the result of ${message.name} (${encoded.tool_call_id}):` };
  return {
    message: { ...encoded, content: [...texts, note].join('\n') },
    pictures: [heading, ...pictures],
  };
}

function encodeContent(content: Content): unknown {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : encodePicture(part)));
}

function encodePicture(part: ImagePart): Record<string, unknown> {
  return { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.data}` } };
}
