import { type Content, cutEnd, type JsonObject, type ToolMessage, type ToolResult } from '../core/index.ts';
import type { OpenCall } from './open-call.ts';

/** A result as the message that answers its call; `differing` is the call when other arguments came in the end than ran. */
export function toToolMessage(result: ToolResult, id: string, agentName: string, differing?: OpenCall): ToolMessage {
  return {
    role: 'tool',
    id,
    agentName,
    toolCallId: result.callId,
    name: result.name,
    content: differing ? withNote(result.content, differing) : result.content,
    isError: result.error !== undefined,
    metadata: metadataOf(result),
  };
}

function metadataOf(result: ToolResult): JsonObject {
  const metadata: Record<string, unknown> = { duration_ms: result.durationMs };
  if (result.data !== undefined) metadata['data'] = result.data;
  if (result.error) metadata['error'] = result.error;
  if (result.stored) metadata['stored'] = result.stored;
  return metadata as JsonObject;
}

function withNote(content: Content, { ran, given, text }: OpenCall): Content {
  const shown = (value: unknown) => cutEnd(typeof value === 'string' ? value : JSON.stringify(value), 300);
  const note = `[note] This ran with ${shown(ran?.arguments)}, but the arguments that arrived in the end were ${shown(given ?? text)}. Call again if those were meant.`;
  return typeof content === 'string' ? `${content}\n${note}` : [...content, { type: 'text', text: note }];
}
