import type { JsonObject } from './json.ts';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart {
  readonly type: 'image';
  readonly mimeType: string;
  /** The picture's bytes, base64. */
  readonly data: string;
}

/** What a model can be shown. */
export type Part = TextPart | ImagePart;
export type Content = string | readonly Part[];

/** A model's request for a tool, as it is kept: the name is canonical, the arguments are the text of a JSON object. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A call as a provider may send it: nothing about it is certain. */
export interface RawToolCall {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
  /** False when the arguments were cut off; they are then never repaired into a run. Default true. */
  readonly finished?: boolean;
}

interface MessageBase {
  readonly id: string;
  readonly agentName?: string;
  readonly metadata?: JsonObject;
}

export interface SystemMessage extends MessageBase {
  readonly role: 'system';
  readonly content: string;
}

export interface UserMessage extends MessageBase {
  readonly role: 'user';
  readonly content: Content;
}

/** What a provider must get back as it gave it: signed thinking, thought signatures. Opaque to the house. */
export interface ProviderData {
  /** The adapter that wrote it, and the only one that may read it. */
  readonly adapter: string;
  readonly value: unknown;
}

export interface AssistantMessage extends MessageBase {
  readonly role: 'assistant';
  readonly content: string;
  readonly thinking?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly provider?: ProviderData;
}

export interface ToolMessage extends MessageBase {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly name: string;
  readonly content: Content;
  readonly isError: boolean;
}

/** Messages are never changed in place: adapters keep what they encoded of one by its identity. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** The text of a message's content; a picture is named, never spelled out. */
export function textOf(content: Content): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[image ${part.mimeType}]`)).join('\n');
}
