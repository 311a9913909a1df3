import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput,
} from '@ai-sdk/provider';
import { type Content, type ImagePart, type Message, type ToolMessage, textOf } from '../../core/index.ts';
import { assistantContent } from './assistant-content.ts';
import type { PromptRules } from './prompt-rules.ts';

type UserContent = Extract<LanguageModelV3Message, { role: 'user' }>['content'];

/** A message in the interface's form; pictures that the result itself cannot hold stand apart. */
export function toPromptMessage(
  message: Message,
  rules: PromptRules,
): { message: LanguageModelV3Message; pictures?: UserContent } {
  switch (message.role) {
    case 'system':
      return { message: { role: 'system', content: message.content } };
    case 'user':
      return { message: { role: 'user', content: userContent(message.content) } };
    case 'assistant':
      return { message: { role: 'assistant', content: assistantContent(message, rules) } };
    case 'tool':
      return toolMessage(message, rules);
  }
}

function userContent(content: Content): UserContent {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : pictureFile(part)));
}

function pictureFile(part: ImagePart): LanguageModelV3FilePart {
  return { type: 'file', data: part.data, mediaType: part.mimeType };
}

function toolMessage(
  message: ToolMessage,
  rules: PromptRules,
): { message: LanguageModelV3Message; pictures?: UserContent } {
  const { content } = message;
  const toolCallId = rules.callId(message.toolCallId);
  const result = (output: LanguageModelV3ToolResultOutput): LanguageModelV3Message => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName: message.name, output }],
  });
  const images = typeof content === 'string' ? [] : content.filter((part) => part.type === 'image');
  if (typeof content === 'string' || images.length === 0 || rules.resultPicture === undefined) {
    const output = result({ type: message.isError ? 'error-text' : 'text', value: textOf(content) });
    if (images.length === 0) return { message: output };
    const heading = `Images from the result of ${message.name} (${toolCallId}):`;
    return { message: output, pictures: [{ type: 'text', text: heading }, ...images.map(pictureFile)] };
  }
  const value = content.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: rules.resultPicture, data: part.data, mediaType: part.mimeType },
  );
  return { message: result({ type: 'content', value } as LanguageModelV3ToolResultOutput) };
}
